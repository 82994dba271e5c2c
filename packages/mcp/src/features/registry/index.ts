export * from './mcp.registry.js';
