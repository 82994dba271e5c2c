export * from './prompts.feature.js';
