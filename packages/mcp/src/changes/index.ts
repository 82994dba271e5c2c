export * from './mcp-change.bus.js';
export * from './mcp-change.js';
export * from './mcp-notifier.js';
