export * from './discovered-handler.js';
export * from './handler.explorer.js';
export * from './handler.registry.js';
