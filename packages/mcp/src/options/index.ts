export * from './mcp-module-options.interface.js';
export * from './resolved-options.js';
