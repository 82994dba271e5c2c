export * from './envelope.js';
export * from './mcp.dispatcher.js';
export * from './method-table.js';
