import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Writes lines; with colours where somebody looks at them. */
export class Screen {
  private readonly coloured: boolean;

  constructor(private readonly output: Writable & { isTTY?: boolean }) {
    this.coloured = output.isTTY === true && !process.env['NO_COLOR'];
  }

  print(line = ''): void {
    this.output.write(`${line}\n`);
  }

  /** What matters. */
  bold(text: string): string {
    return this.style('bold', text);
  }

  /** What only explains. */
  dim(text: string): string {
    return this.style('dim', text);
  }

  /** What travelled. */
  wire(text: string): string {
    return this.style('cyan', text);
  }

  good(text: string): string {
    return this.style('green', text);
  }

  bad(text: string): string {
    return this.style('red', text);
  }

  private style(style: Style, text: string): string {
    return this.coloured ? styleText(style, text) : text;
  }
}
