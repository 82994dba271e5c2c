import { PassThrough, Writable } from 'node:stream';
import { LineWriter } from './line-writer.js';

/** Takes what it is given when it is told to. */
class SlowStream extends Writable {
  readonly taken: string[] = [];
  private pending: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 8 });
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.taken.push(chunk.toString());
    this.pending.push(done);
  }

  /** Takes everything there is. */
  async takeAll(): Promise<void> {
    while (this.pending.length > 0) {
      this.pending.splice(0).forEach((done) => done());
      await new Promise(setImmediate);
    }
  }
}

describe('A line writer', () => {
  it('writes lines, and tells when it is better to wait', async () => {
    const stream = new SlowStream();
    const writer = new LineWriter(stream);
    let drained = 0;
    writer.onDrain(() => (drained += 1));
    expect(writer.write('{}')).toBe(true);
    expect(writer.write('{"id":"ä"}')).toBe(false);
    expect(writer.bufferedBytes).toBe(3 + 12);
    expect(writer.taken).toBe(0);
    await stream.takeAll();
    expect(stream.taken.join('')).toBe('{}\n{"id":"ä"}\n');
    expect(drained).toBe(1);
    expect(writer.taken).toBe(2);
    expect(writer.bufferedBytes).toBe(0);
  });

  it('flushes', async () => {
    const stream = new SlowStream();
    const writer = new LineWriter(stream);
    await writer.flush();
    writer.write('a');
    let flushed = false;
    const flush = writer.flush().then(() => (flushed = true));
    await new Promise(setImmediate);
    expect(flushed).toBe(false);
    await stream.takeAll();
    await flush;
  });

  it('goes on with the write of the stream as it was', () => {
    const stream = new SlowStream();
    const writer = new LineWriter(stream);
    stream.write = () => {
      throw new Error('not this one');
    };
    writer.write('a');
    expect(stream.taken).toEqual(['a\n']);
  });

  it('is not troubled by a reader that has gone', async () => {
    const stream = new SlowStream();
    const writer = new LineWriter(stream);
    writer.write('a');
    const flush = writer.flush();
    stream.destroy(new Error('EPIPE'));
    await writer.left;
    await flush;
    expect(writer.write('b')).toBe(true);
    await writer.flush();
    expect(stream.taken).toEqual(['a\n']);
  });

  it('ends', async () => {
    const stream = new PassThrough();
    const writer = new LineWriter(stream);
    writer.write('a');
    writer.end();
    expect(writer.write('b')).toBe(true);
    expect((await stream.toArray()).join('')).toBe('a\n');
  });
});
