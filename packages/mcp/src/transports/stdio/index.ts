export * from './mcp-stdio.js';
export * from './mcp-stdio.logger.js';
export type { McpStdioConnection } from './stdio.connection.js';
export * from './stdio.transport.js';
