import type { AbsoluteProgress, McpProgressSource } from '../../context/index.js';
import { isJsonObject } from '../../protocol/index.js';

/** What a generator yields to report progress, in a unit of its own. */
export interface McpProgress {
  /** Above the last one. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const MEMBERS = ['progress', 'total', 'message'];

export function isProgress(value: unknown): value is McpProgress {
  return (
    isJsonObject(value) &&
    typeof value['progress'] === 'number' &&
    (value['total'] === undefined || typeof value['total'] === 'number') &&
    (value['message'] === undefined || typeof value['message'] === 'string') &&
    Object.keys(value).every((key) => MEMBERS.includes(key))
  );
}

/** Sends what a generator yields as progress. */
export class YieldedProgress {
  private emitter?: AbsoluteProgress;
  private total?: number;

  /** @param source `undefined` where no handler is running: nothing is sent */
  constructor(private readonly source: McpProgressSource | undefined) {}

  /** @throws InvalidProgressException when it does not increase */
  report({ progress, total, message }: McpProgress): void {
    if (this.emitter === undefined || total !== this.total) {
      this.emitter = this.source?.absoluteProgress(total);
      this.total = total;
    }
    this.emitter?.to(progress, message);
  }
}
