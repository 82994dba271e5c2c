import { randomFillSync } from 'node:crypto';

/** How many are drawn at once: asking for few bytes costs as much as asking for many. */
const DRAWN = 128;

/** Random nonces, none of which is given twice. They are public: drawing them ahead tells nobody anything. */
export class Nonces {
  private readonly drawn: Buffer;
  private next: number;

  constructor(private readonly bytes: number) {
    this.drawn = Buffer.alloc(DRAWN * bytes);
    this.next = this.drawn.length;
  }

  /** A copy: what is drawn next does not change it. */
  take(): Buffer {
    if (this.next === this.drawn.length) {
      randomFillSync(this.drawn);
      this.next = 0;
    }
    const from = this.next;
    this.next += this.bytes;
    return Buffer.from(this.drawn.subarray(from, this.next));
  }
}
