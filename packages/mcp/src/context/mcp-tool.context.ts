import { MrtrContext } from './mrtr.context.js';

/** The context of a running tool: inject it with `@McpContext()`. */
export class McpToolContext extends MrtrContext {
  /**
   * Goes on as a task: the client is told so at once, and the tool is played again from the top, without
   * its request, to go on from here. Ask before it what must be known before the work begins, and after it
   * what comes up in the work. Nothing happens in a tool that is a task already, or whose client knows no
   * tasks; so the same code serves all clients.
   *
   * Needs `@McpTask()` of `@dacapo/tasks` on the tool.
   *
   * @throws InvalidDetachException where the tool is no task
   */
  detach(): Promise<void> {
    return this.current.execution.detach();
  }
}
