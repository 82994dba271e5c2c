/**
 * What a client has written while nothing was worked on for it: bytes as they came, in order. It is full
 * with the chunk that reaches the limit.
 */
export class ReadAhead {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get isEmpty(): boolean {
    return this.chunks.length === 0;
  }

  get isFull(): boolean {
    return this.bytes >= this.maxBytes;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** The first chunk; `undefined` when there is none. */
  shift(): Buffer | undefined {
    const chunk = this.chunks.shift();
    this.bytes -= chunk?.length ?? 0;
    return chunk;
  }
}
