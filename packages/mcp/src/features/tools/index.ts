export * from './tools.feature.js';
