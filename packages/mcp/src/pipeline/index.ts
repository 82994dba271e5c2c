export * from './bounded-round.js';
export * from './call-leave.js';
export * from './call-limits.js';
export * from './call-runner.js';
export { checkArguments } from './argument-limits.js';
export * from './argument-of.js';
export * from './gate-call.js';
export * from './handler-call.js';
export * from './handler-invoker.factory.js';
export * from './mcp-call.js';
export * from './mcp-execution-context.js';
export { type McpPlayedRound } from './played-round.js';
export * from './settle-call.js';
export * from './unless-empty.js';
export {
  type Bytes,
  isBytes,
  isIterator,
  lastValue,
  McpFile,
  type McpFileOptions,
  type McpProgress,
  toBuffer,
} from './values/index.js';
export * from './visibility-rules.js';
