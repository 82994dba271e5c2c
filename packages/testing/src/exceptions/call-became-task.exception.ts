/** The call has become a task, and its script can answer nothing: a task is answered by requests of its own. */
export class CallBecameTaskException extends Error {
  constructor(
    /** What the call was answered with. */
    readonly task: object,
  ) {
    super(
      `The call became a task: ${JSON.stringify(task)}. Get its handle by request('tools/call', …) and go on by ` +
        "request('tasks/get', { taskId }) and request('tasks/update', { taskId, inputResponses }), " +
        'or call it with a client that does not declare the extension.',
    );
    this.name = 'CallBecameTaskException';
  }
}
