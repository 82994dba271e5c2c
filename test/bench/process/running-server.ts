import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Announcement } from '../servers/announce.js';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface StartOptions {
  /** The program, relative to this bench's sources or, once compiled, its output. */
  readonly program: string;
  readonly args?: readonly string[];
  /** What the command line begins with. */
  readonly prefix: readonly string[];
  /** Options of Node. */
  readonly nodeOptions: readonly string[];
}

/** A server in a process of its own, which ends with this one. */
export class RunningServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    readonly announcement: Announcement,
    /** From the start of the process until it listened. */
    readonly startedMs: number,
  ) {}

  get url(): string {
    return this.announcement.url;
  }

  static async start({
    program,
    args = [],
    prefix,
    nodeOptions,
  }: StartOptions): Promise<RunningServer> {
    const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
    const [command, ...rest] = [...prefix, process.execPath, ...nodeOptions, file, ...args];
    const begin = performance.now();
    const child = spawn(command as string, rest, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const announcement = await announcementOf(child, program);
    return new RunningServer(child, child.pid as number, announcement, performance.now() - begin);
  }

  /** Has the server end by itself, so that it writes what it was told to write at its end. */
  async stop(): Promise<void> {
    if (!running.has(this.child)) return;
    const ended = once(this.child, 'exit');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT_MS);
    this.child.disconnect();
    await ended;
    clearTimeout(timer);
  }
}

async function announcementOf(child: ChildProcess, program: string): Promise<Announcement> {
  const signal = AbortSignal.timeout(START_LIMIT_MS);
  const first = await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(() => undefined),
  ]);
  if (first === undefined) throw new Error(`${program} ended before it listened.`);
  return first[0] as Announcement;
}
