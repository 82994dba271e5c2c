import { MrtrContext } from './mrtr.context.js';

/** The context of a running resource: inject it with `@McpContext()`. */
export class McpResourceContext extends MrtrContext {}
