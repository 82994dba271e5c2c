import { MrtrContext } from './mrtr.context.js';

/** The context of a running tool: inject it with `@McpContext()`. */
export class McpToolContext extends MrtrContext {}
