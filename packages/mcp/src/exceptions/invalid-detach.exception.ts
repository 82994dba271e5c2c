/** A handler wanted to go on without its request where nothing could take it on: a mistake of its author. */
export class InvalidDetachException extends Error {
  constructor(handler: string) {
    super(
      `"${handler}" called detach(), and is no task. Decorate the tool with @McpTask() of @dacapo/tasks, or leave detach() out.`,
    );
    this.name = 'InvalidDetachException';
  }
}
