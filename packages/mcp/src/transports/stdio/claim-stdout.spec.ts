import { PassThrough } from 'node:stream';
import { claimStdout } from './claim-stdout.js';

let stdout: PassThrough;
let stderr: PassThrough;

const said = (stream: PassThrough): string => String(stream.read() ?? '');

beforeEach(() => {
  stdout = new PassThrough();
  stderr = new PassThrough();
});

describe('A claimed stdout', () => {
  it('is written by the protocol alone; the rest goes to stderr', () => {
    const writer = claimStdout(stdout, stderr);
    writer.write('{}');
    stdout.write('log\n');
    expect(said(stdout)).toBe('{}\n');
    expect(said(stderr)).toBe('log\n');
  });

  it('is ended by nobody', async () => {
    const writer = claimStdout(stdout, stderr);
    stdout.end();
    stdout.end('bye\n');
    await new Promise<void>((resolve) => {
      stdout.end(Buffer.from('ended\n'), resolve);
    });
    await new Promise<void>((resolve) => {
      stdout.end(resolve);
    });
    writer.write('{}');
    expect(said(stdout)).toBe('{}\n');
    expect(said(stderr)).toBe('bye\nended\n');
  });

  it('is claimed once', () => {
    claimStdout(stdout, stderr);
    expect(() => claimStdout(stdout, stderr)).toThrow(
      'stdout carries the protocol of another McpStdio.serve() or McpStdio.connect() already.',
    );
  });

  it('survives the end of stderr', async () => {
    claimStdout(stdout, stderr);
    stderr.destroy(new Error('EPIPE'));
    await new Promise((resolve) => stderr.once('close', resolve));
    expect(() => stdout.write('nobody reads this')).not.toThrow();
  });
});
