export * from './client-feature.js';
export * from './handler-info.js';
export * from './header-value.js';
export type { McpBackground } from './mcp-background.js';
export { backgroundOrigin } from './mcp-background.js';
export * from './mcp-client.js';
export * from './mcp-exchange.js';
export * from './mcp-origin.js';
export * from './mcp-visibility.js';
