export * from './completions.feature.js';
