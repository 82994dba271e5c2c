export * from './extension.registry.js';
export * from './mcp-extension.js';
export * from './mcp-extension-host.js';
export * from './mcp-tool-taker.js';
export * from './require-extension.js';
