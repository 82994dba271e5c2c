export * from './resources.feature.js';
