import type { HandlerHost } from '../../discovery/index.js';
import { definitionError } from '../argument-schema.js';
import { MediaType } from './media-type.js';

/** @throws HandlerDefinitionException for a `mimeType` that is none, or whose text nobody can read */
export function compileMediaType(
  host: HandlerHost,
  mimeType: string | undefined,
): MediaType | undefined {
  if (mimeType === undefined) return undefined;
  const media = MediaType.parse(mimeType);
  if (media === undefined) {
    throw definitionError(
      host,
      `its mimeType ${JSON.stringify(mimeType)} is no media type`,
      'Write a type and a subtype, such as "text/markdown" or "image/png"',
    );
  }
  if (!media.hasKnownCharset) {
    throw definitionError(
      host,
      `its mimeType names the charset ${JSON.stringify(media.charset)}, which Node cannot decode`,
      'Name another charset, or leave it out for UTF-8',
    );
  }
  return media;
}
