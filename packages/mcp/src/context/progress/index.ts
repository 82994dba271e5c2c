export * from './progress-channel.js';
export * from './progress-emitters.js';
