export * from './discover.feature.js';
