export * from './discovered-handler.js';
export * from './handler.explorer.js';
export * from './handler.registry.js';
export { serversOf } from './server-assignment.js';
