/** A question or a progress report where no handler is running, or in a completion. */
export class OutsideHandlerException extends Error {
  constructor(operation: string, fact: string) {
    super(
      `${operation} was called ${fact}. Call it within the awaited flow of a running @McpTool, @McpPrompt or @McpResource method, ` +
        'and await it.',
    );
    this.name = 'OutsideHandlerException';
  }
}
