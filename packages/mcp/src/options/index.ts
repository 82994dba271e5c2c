export * from './declared-instances.js';
export * from './declared-servers.js';
export * from './endpoint-path.js';
export * from './mcp-module-options.interface.js';
export * from './resolved-options.js';
export { checkServerNames } from './server-name.js';
export * from './sibling-servers.js';
