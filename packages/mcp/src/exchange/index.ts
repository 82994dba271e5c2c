export * from './mcp-client.js';
export * from './mcp-exchange.js';
