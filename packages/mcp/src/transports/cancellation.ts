/** Whether a request still wants its answer, and who must hear when it does not any more. */
export class Cancellation {
  private reason?: DOMException;
  private readonly listeners: ((reason: unknown) => void)[] = [];

  get cancelled(): boolean {
    return this.reason !== undefined;
  }

  /** Calls back when it happens; at once if it has happened. */
  onCancel(listener: (reason: unknown) => void): void {
    if (this.reason === undefined) this.listeners.push(listener);
    else listener(this.reason);
  }

  /** The first call counts. @param message why, for what the handler may log */
  cancel(message: string): void {
    if (this.reason !== undefined) return;
    // As `fetch` and the like have it, so that it can be told from other errors.
    this.reason = new DOMException(message, 'AbortError');
    for (const listener of this.listeners.splice(0)) listener(this.reason);
  }
}
