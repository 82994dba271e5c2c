import type { Writable } from 'node:stream';
import { LineWriter } from './line-writer.js';

const claimed = new WeakSet<Writable>();

/**
 * Takes stdout for the protocol, for as long as the process lives: what anybody else writes to the
 * stream (`console.log`, a logger, a library) goes to stderr. What goes around the stream, to the file
 * descriptor itself, cannot be caught: `fs.writeSync(1, …)`, or a child process that inherits it.
 * @throws Error when it is taken already
 */
export function claimStdout(stdout: Writable, stderr: Writable): LineWriter {
  if (claimed.has(stdout)) {
    throw new Error(
      'stdout carries the protocol of another McpStdio.serve() or McpStdio.connect() already. Call one of them, once.',
    );
  }
  claimed.add(stdout);
  const writer = new LineWriter(stdout);
  const write = stderr.write.bind(stderr);
  stdout.write = write;
  // Nobody ends it either, but for the end of the process.
  stdout.end = (...args: unknown[]) => {
    if (typeof args[0] === 'string' || args[0] instanceof Uint8Array) write(args[0]);
    const done = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
    if (done !== undefined) queueMicrotask(done);
    return stdout;
  };
  // When the client has gone, a log that nobody reads must not end the process before it has cleaned up.
  stderr.on('error', () => undefined);
  return writer;
}
