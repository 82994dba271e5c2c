export * from './bytes.js';
export * from './last-value.js';
export * from './mcp-file.js';
export * from './value-collector.js';
export { isIterator } from './value-source.js';
export type { McpProgress } from './yielded-progress.js';
