import { MrtrContext } from './mrtr.context.js';

/** The context of a running prompt: inject it with `@McpContext()`. */
export class McpPromptContext extends MrtrContext {}
