export * from './mcp-change.bus.js';
export * from './mcp-change.js';
export * from './mcp-notifier.js';
export * from './next-turn.js';
