export * from './in-process.transport.js';
export * from './mcp-in-process.js';
export type { McpInProcessConnection, McpInProcessSendOptions } from './in-process.connection.js';
