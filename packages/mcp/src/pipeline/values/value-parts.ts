import { isBytes, toBuffer } from './bytes.js';

/**
 * What came out of a source.
 *
 * | pieces | whole |
 * | --- | --- |
 * | only text | the text |
 * | bytes, or bytes and text | the bytes |
 * | anything else among them | the list of them |
 */
export class ValueParts {
  private readonly parts: unknown[] = [];

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  add(part: unknown): void {
    this.parts.push(part);
  }

  whole(): unknown {
    const { parts } = this;
    if (parts.every((part) => typeof part === 'string')) return parts.join('');
    if (!parts.every((part) => typeof part === 'string' || isBytes(part))) return parts;
    return Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : toBuffer(part))),
    );
  }
}
