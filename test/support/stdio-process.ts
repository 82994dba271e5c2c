import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ENVELOPE, type WireResponse } from './wire.js';

/** A line of the server's stdout. */
export type StdioMessage = WireResponse['body'] & {
  method?: string;
  params?: Record<string, unknown>;
};

/** How long a process may live before it is killed; no test comes near it. */
const LIMIT_MS = 50_000;

/** A request as a line. */
export function requestLine(
  id: string | number,
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: { ...ENVELOPE, ...meta } },
  });
}

export function callLine(
  id: string | number,
  name: string,
  args: object = {},
  meta?: Record<string, unknown>,
): string {
  return requestLine(id, 'tools/call', { name, arguments: args }, meta);
}

/** A server over stdio in a process of its own, line by line. */
export class StdioServerProcess {
  readonly child: ChildProcess & { stdin: NodeJS.WritableStream; stdout: NodeJS.ReadableStream };
  /** What it has written to stderr. */
  log = '';
  /** Exit code and signal. */
  readonly exit: Promise<[number | null, NodeJS.Signals | null]>;
  private readonly reader: Interface;
  private readonly lines: AsyncIterator<string>;
  private logged: () => void = () => undefined;

  constructor(program: URL, env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [fileURLToPath(program)], {
      env: { PATH: process.env['PATH'], ...env },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.log += chunk.toString();
      this.logged();
    });
    this.child.stdin.on('error', () => undefined);
    this.exit = once(this.child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    this.reader = createInterface({ input: this.child.stdout });
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  /** Writes lines, each with its newline. */
  send(...lines: string[]): void {
    for (const line of lines) this.child.stdin.write(`${line}\n`);
  }

  /** The next line of stdout, which must be a message. */
  async next(): Promise<StdioMessage> {
    const line = await this.lines.next();
    if (line.done === true) throw new Error(`stdout has ended; stderr: ${this.log}`);
    return JSON.parse(line.value) as StdioMessage;
  }

  /** Every line that is left until stdout ends. */
  async rest(): Promise<StdioMessage[]> {
    const messages: StdioMessage[] = [];
    for (let line = await this.lines.next(); line.done !== true; line = await this.lines.next()) {
      messages.push(JSON.parse(line.value) as StdioMessage);
    }
    return messages;
  }

  /** Reads nothing for a while. */
  pause(): void {
    this.reader.pause();
  }

  resume(): void {
    this.reader.resume();
  }

  /** Waits until stderr has said something. */
  async logs(text: string): Promise<void> {
    while (!this.log.includes(text)) {
      await new Promise<void>((resolve) => (this.logged = resolve));
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }
}
