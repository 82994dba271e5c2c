export * from './envelope.js';
export * from './mcp.server.js';
export * from './method-table.js';
