export * from './client-feature.js';
export * from './mcp-client.js';
export * from './mcp-exchange.js';
