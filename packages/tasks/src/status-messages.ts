/** How far a task has come. */
export interface TaskProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Writes progress down as a status message: the first at once, later ones no more often than every
 * `intervalMs`, of which the latest.
 */
export class StatusMessages {
  private latest?: string;
  private timer?: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(
    private readonly write: (statusMessage: string) => void,
    private readonly intervalMs: number,
  ) {}

  report(progress: TaskProgress): void {
    if (this.ended) return;
    this.latest = inWords(progress);
    if (this.timer === undefined) this.flush();
  }

  /** @returns the latest message, where it is not written yet */
  end(): string | undefined {
    const { latest } = this;
    delete this.latest;
    this.ended = true;
    clearTimeout(this.timer);
    return latest;
  }

  private flush(): void {
    const { latest } = this;
    delete this.latest;
    this.timer = undefined;
    if (latest === undefined) return;
    this.write(latest);
    this.timer = setTimeout(() => this.flush(), this.intervalMs);
    this.timer.unref();
  }
}

function inWords({ progress, total, message }: TaskProgress): string {
  const far = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? far : `${far}: ${message}`;
}
