export * from './subscriptions.feature.js';
