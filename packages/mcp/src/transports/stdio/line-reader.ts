const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);
/** What is kept for the beginning of the next line when a long one is done. */
const KEPT_BYTES = 65_536;

/** What a stream of bytes holds, line by line. */
export type Line =
  /** Without its newline. The bytes are valid during the call only. */
  | { readonly type: 'line'; readonly bytes: Buffer }
  /** A line that has grown beyond the limit; the rest of it is skipped. */
  | { readonly type: 'too-long' };

const TOO_LONG: Line = { type: 'too-long' };

/**
 * Cuts a stream of bytes into lines.
 *
 * 1. How the stream is chunked makes no difference to what is read.
 * 2. No more than `maxLineBytes` are held, however long a line is and however small its chunks are.
 * 3. A line that is too long is told of once, as soon as it is; reading goes on after its newline.
 * 4. What follows the last newline is a line, unless it is empty.
 */
export class LineReader {
  private held = EMPTY;
  private length = 0;
  private skipping = false;

  constructor(
    private readonly maxLineBytes: number,
    private readonly tell: (line: Line) => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      this.finish(chunk.subarray(start, end));
      start = end + 1;
    }
    this.hold(chunk.subarray(start));
  }

  /** The stream has ended. */
  end(): void {
    if (this.length > 0) this.finish(EMPTY);
  }

  private finish(rest: Buffer): void {
    // Most lines come in one piece, and need not be copied.
    const whole = this.length === 0 && rest.length <= this.maxLineBytes;
    if (!whole) this.hold(rest);
    const { skipping } = this;
    this.skipping = false;
    if (skipping) return;
    const bytes = whole ? rest : this.held.subarray(0, this.length);
    this.release();
    this.tell({ type: 'line', bytes });
  }

  private hold(part: Buffer): void {
    if (this.skipping) return;
    const length = this.length + part.length;
    if (length > this.maxLineBytes) {
      this.skipping = true;
      this.release();
      this.tell(TOO_LONG);
      return;
    }
    if (length > this.held.length) {
      const size = Math.min(this.maxLineBytes, Math.max(length, 2 * this.held.length));
      const grown = Buffer.allocUnsafe(size);
      this.held.copy(grown, 0, 0, this.length);
      this.held = grown;
    }
    part.copy(this.held, this.length);
    this.length = length;
  }

  private release(): void {
    this.length = 0;
    if (this.held.length > KEPT_BYTES) this.held = EMPTY;
  }
}
