/** What is known of a file besides its bytes. */
export interface McpFileOptions {
  /** A media type such as `image/png`. A `mimeType` that the handler declares comes before it. */
  mimeType?: string;
  /** Without a path. */
  name?: string;
}

/**
 * Bytes, or text, with a type and a name. A `StreamableFile`, `Blob` or `File` that a handler returns
 * is read into one before interceptors see it; a handler may return one too.
 */
export class McpFile {
  readonly mimeType: string | undefined;
  readonly name: string | undefined;

  constructor(
    readonly data: Uint8Array | string,
    { mimeType, name }: McpFileOptions = {},
  ) {
    this.mimeType = mimeType;
    this.name = name;
  }
}
