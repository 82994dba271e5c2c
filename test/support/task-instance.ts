import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { McpRedisModuleOptions } from '@dacapo/redis';

const PROGRAM = fileURLToPath(new URL('../fixtures/task-instance.mjs', import.meta.url));
/** How long a process may live before it is killed; no test comes near it. */
const LIMIT_MS = 55_000;

export interface TaskInstanceOptions {
  readonly redis: McpRedisModuleOptions;
  /** Where what the steps do is counted. */
  readonly booksUrl: string;
  /** The step that does not end until it is released. */
  readonly hold?: string;
}

/** An instance of `task-instance.mjs`, in a process of its own. */
export class TaskInstance {
  private readonly lines: string[] = [];
  /** What it has written to stderr. */
  private log = '';
  private ended = false;
  private heard: () => void = () => undefined;
  private readonly exit: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess & {
      stdin: NodeJS.WritableStream;
      stdout: NodeJS.ReadableStream;
      stderr: NodeJS.ReadableStream;
    },
  ) {
    this.exit = once(child, 'close');
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      this.log += chunk.toString();
      this.heard();
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.heard();
    });
    child.on('close', () => {
      this.ended = true;
      this.heard();
    });
  }

  static async start(options: TaskInstanceOptions): Promise<TaskInstance> {
    const child = spawn(process.execPath, [PROGRAM], {
      env: { ...process.env, TASK_INSTANCE: JSON.stringify(options) },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const instance = new TaskInstance(child);
    await instance.until(() => instance.url !== '');
    return instance;
  }

  get url(): string {
    const port = this.lines.find((line) => line.startsWith('port '));
    return port === undefined ? '' : `http://127.0.0.1:${port.slice('port '.length)}/mcp`;
  }

  /** How often it has done a step. */
  done(step: string): number {
    return this.lines.filter((line) => line === step).length;
  }

  /** Waits until it has done a step so many times. */
  async untilDone(step: string, times: number): Promise<void> {
    await this.until(() => this.done(step) >= times);
  }

  /** Waits until it has complained so many times. */
  async untilLogged(text: string, times: number): Promise<void> {
    await this.until(() => this.log.split(text).length > times);
  }

  /** Lets the step go on that was held. */
  release(): void {
    this.child.stdin.write('go on\n');
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.ended) throw new Error(`The instance has ended: ${this.log}`);
      await new Promise<void>((resolve) => (this.heard = resolve));
    }
  }
}
