import { type Bytes, isBytes, McpFile, toBuffer } from '../../pipeline/index.js';
import { MediaType } from './media-type.js';

/** Bytes, with or without a type and a name. */
export function isReturnedFile(value: unknown): value is Bytes | McpFile {
  return isBytes(value) || value instanceof McpFile;
}

/** Bytes on their way to the wire. */
export class ReturnedFile {
  readonly media: MediaType | undefined;
  readonly name: string | undefined;
  private readonly data: Uint8Array | string;

  /** @param declared what the handler says of all it returns; comes before what a file says */
  constructor(value: Bytes | McpFile, declared: MediaType | undefined) {
    const file = value instanceof McpFile ? value : new McpFile(toBuffer(value));
    this.data = file.data;
    this.name = file.name;
    this.media =
      declared ?? (file.mimeType === undefined ? undefined : MediaType.parse(file.mimeType));
  }

  /** `undefined` when it must travel as base64. */
  get text(): string | undefined {
    if (typeof this.data === 'string') return this.data;
    return this.media?.isText === true ? this.media.decode(this.data) : undefined;
  }

  get base64(): string {
    return (typeof this.data === 'string' ? Buffer.from(this.data) : toBuffer(this.data)).toString(
      'base64',
    );
  }
}
