import { PassThrough } from 'node:stream';
import { InputClosedError } from './input-closed.error.js';
import { Terminal } from './terminal.js';

function setUp() {
  const input = new PassThrough();
  const output = new PassThrough();
  const terminal = new Terminal(input, output);
  return { input, terminal, written: () => String(output.read() ?? '') };
}

describe('Terminal', () => {
  it('asks, and shows what was piped in', async () => {
    const { input, terminal, written } = setUp();
    const answer = terminal.ask('Name: ');
    input.write('Ada\n');
    await expect(answer).resolves.toBe('Ada');
    expect(written()).toBe('Name: Ada\n');
  });

  it('keeps lines that come before they are asked for, even past the end', async () => {
    const { input, terminal } = setUp();
    input.end('one\ntwo\nthree');
    await new Promise((resolve) => setImmediate(resolve));
    expect(terminal.closed).toBe(false);
    await expect(terminal.ask('')).resolves.toBe('one');
    await expect(terminal.ask('')).resolves.toBe('two');
    await expect(terminal.ask('')).resolves.toBe('three');
    expect(terminal.closed).toBe(true);
    await expect(terminal.ask('')).rejects.toThrow(InputClosedError);
    expect(terminal.signal.aborted).toBe(false);
  });

  it('ends a question when the input ends', async () => {
    const { input, terminal } = setUp();
    const answer = terminal.ask('Name: ');
    input.end();
    await expect(answer).rejects.toThrow(InputClosedError);
  });

  it('ends everything when it is interrupted', async () => {
    const { input, terminal } = setUp();
    input.write('early\n');
    await new Promise((resolve) => setImmediate(resolve));
    terminal.interrupt();
    expect(terminal.signal.aborted).toBe(true);
    await expect(terminal.ask('')).rejects.toThrow(InputClosedError);
  });
});
