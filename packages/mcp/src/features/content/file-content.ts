import type { Bytes, McpFile } from '../../pipeline/index.js';
import type { ContentBlock } from '../../protocol/index.js';
import type { MediaType } from './media-type.js';
import { ReturnedFile } from './returned-file.js';

/**
 * The block for a file.
 *
 * | type | block |
 * | --- | --- |
 * | `image/*` | image |
 * | `audio/*` | audio |
 * | text | text |
 * | none | text for text, for bytes an embedded resource |
 * | another | embedded resource |
 *
 * A text block has no place for a type and a name. An embedded resource has; it holds text as text,
 * and bytes as a blob.
 * @param uri names the file within the result, for an embedded resource
 */
export function fileContent(
  value: Bytes | McpFile,
  declared: MediaType | undefined,
  uri: (name: string | undefined) => string,
): ContentBlock {
  const file = new ReturnedFile(value, declared);
  const { media } = file;
  if (media?.type === 'image' || media?.type === 'audio') {
    return { type: media.type, data: file.base64, mimeType: media.text };
  }
  const { text } = file;
  if (text !== undefined && media?.isText !== false) return { type: 'text', text };
  const shared = { uri: uri(file.name), ...(media !== undefined && { mimeType: media.text }) };
  return {
    type: 'resource',
    resource: text === undefined ? { ...shared, blob: file.base64 } : { ...shared, text },
  };
}

/**
 * `result://export/report.pdf`, and `result://export/2/report.pdf` for the second of a list: it tells
 * the files of one result apart, and cannot be read.
 * @param position from 1, within a list
 */
export function resultUri(handler: string, name: string | undefined, position?: number): string {
  const segments = [handler, position?.toString(), name].filter((segment) => segment !== undefined);
  return `result://${segments.map(encodeURIComponent).join('/')}`;
}
