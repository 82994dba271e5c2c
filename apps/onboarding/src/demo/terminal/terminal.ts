import { createInterface, type Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { InputClosedError } from './input-closed.error.js';
import { Screen } from './screen.js';

type Input = Readable & { isTTY?: boolean };
type Output = Writable & { isTTY?: boolean };

interface Waiting {
  resolve(line: string): void;
  reject(error: Error): void;
}

/**
 * Asks a person for lines.
 *
 * Lines that come before they are asked for are kept: `question()` of readline would lose them when
 * answers are piped in, and would wait for ever once the input has ended.
 */
export class Terminal {
  readonly screen: Screen;
  private readonly readline: Interface;
  private readonly interactive: boolean;
  private readonly early: string[] = [];
  private readonly interruption = new AbortController();
  private waiting: Waiting | undefined;
  private ended = false;

  constructor(
    input: Input,
    private readonly output: Output,
  ) {
    this.screen = new Screen(output);
    this.interactive = input.isTTY === true && output.isTTY === true;
    this.readline = createInterface({ input, output, terminal: this.interactive });
    this.readline.on('line', (line) => this.take(line));
    this.readline.on('close', () => this.end());
    this.readline.on('SIGINT', () => this.interrupt());
  }

  /** Aborts on Ctrl-C. The end of the input is no reason to break off what is under way. */
  get signal(): AbortSignal {
    return this.interruption.signal;
  }

  /** True when no line will come any more. */
  get closed(): boolean {
    return this.ended && this.early.length === 0;
  }

  /**
   * The next line.
   * @throws InputClosedError when there is none
   */
  ask(prompt: string): Promise<string> {
    const line = this.early.shift();
    if (line !== undefined) {
      this.output.write(`${prompt}${line}\n`);
      return Promise.resolve(line);
    }
    if (this.ended) return Promise.reject(new InputClosedError());
    this.readline.setPrompt(prompt);
    this.readline.prompt();
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  /** Ends the input, and what is under way. */
  interrupt(): void {
    this.early.length = 0;
    this.interruption.abort(new InputClosedError());
    this.readline.close();
  }

  close(): void {
    this.readline.close();
  }

  private take(line: string): void {
    const { waiting } = this;
    if (waiting === undefined) {
      this.early.push(line);
      return;
    }
    this.waiting = undefined;
    // A person sees what is typed; a transcript of piped answers should show it too.
    if (!this.interactive) this.output.write(`${line}\n`);
    waiting.resolve(line);
  }

  private end(): void {
    this.ended = true;
    const { waiting } = this;
    if (waiting === undefined) return;
    this.waiting = undefined;
    this.output.write('\n');
    waiting.reject(new InputClosedError());
  }
}
