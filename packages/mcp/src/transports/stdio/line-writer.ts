import type { Writable } from 'node:stream';

/**
 * Writes one message a line, and tells when the other side does not keep up.
 *
 * 1. A line is written whole, in the order of the calls.
 * 2. It uses the stream's `write` of the moment it was made, whatever becomes of it later.
 * 3. Once the other side has gone, writing does nothing.
 */
export class LineWriter {
  private readonly put: Writable['write'];
  private gone = false;
  private takenLines = 0;
  private leave!: () => void;
  /** Resolves when nobody reads any more. */
  readonly left = new Promise<void>((resolve) => (this.leave = resolve));

  constructor(private readonly stream: Writable) {
    this.put = stream.write.bind(stream);
    const lose = (): void => {
      this.gone = true;
      this.leave();
    };
    // A client that has gone is no error of this process.
    stream.on('error', lose).once('close', lose);
  }

  /** @returns `false` when it is better to wait for `onDrain` */
  write(line: string): boolean {
    return this.gone || this.put(`${line}\n`, this.count);
  }

  /** What has been written and the other side has not taken yet. */
  get bufferedBytes(): number {
    return this.stream.writableLength;
  }

  /** How many lines the other side has taken, by which it is told from one that has stopped reading. */
  get taken(): number {
    return this.takenLines;
  }

  /** Calls back whenever everything has been taken after `write` has returned `false`. */
  onDrain(listener: () => void): void {
    this.stream.on('drain', listener);
  }

  /** Ends the stream; nothing can be written any more. */
  end(): void {
    this.gone = true;
    this.stream.end();
  }

  /** Resolves when everything has been taken, or nobody is there to take it. */
  flush(): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      if (this.gone || this.bufferedBytes === 0) resolve();
      else this.put('', () => resolve());
    });
    return Promise.race([taken, this.left]);
  }

  private readonly count = (): void => {
    this.takenLines += 1;
  };
}
