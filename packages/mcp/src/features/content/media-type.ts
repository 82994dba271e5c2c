import { TextDecoder } from 'node:util';

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const VALUE = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const MEDIA_TYPE = new RegExp(
  `^(${TOKEN})/(${TOKEN})((?:[ \\t]*;[ \\t]*${TOKEN}=${VALUE})*)[ \\t]*$`,
);
const CHARSET = new RegExp(`;[ \\t]*charset=(${VALUE})`, 'i');
const UNQUOTED = /^"(.*)"$/;

/** Application types that are text, besides those with a suffix. */
const TEXT_SUBTYPES =
  /^(?:json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|sql|graphql|x-ndjson|.+\+(?:json|xml|yaml))$/;

/** A media type (RFC 9110, 8.3.1), as far as it decides how bytes are sent. */
export class MediaType {
  private constructor(
    /** As it was written. */
    readonly text: string,
    /** `image` of `image/png`, in lower case. */
    readonly type: string,
    private readonly subtype: string,
    /** `undefined` when it names none. */
    readonly charset: string | undefined,
    /** `undefined` when nothing here knows the charset. */
    private readonly decoder: TextDecoder | undefined,
  ) {}

  /** `undefined` when the text is no media type. */
  static parse(text: string): MediaType | undefined {
    const [, type, subtype, parameters] = MEDIA_TYPE.exec(text) ?? [];
    if (type === undefined || subtype === undefined) return undefined;
    const charset = CHARSET.exec(parameters ?? '')?.[1]?.replace(UNQUOTED, '$1');
    return new MediaType(
      text,
      type.toLowerCase(),
      subtype.toLowerCase(),
      charset,
      decoderFor(charset ?? 'utf-8'),
    );
  }

  /** False for a charset that Node has no decoder for. */
  get hasKnownCharset(): boolean {
    return this.decoder !== undefined;
  }

  /** True for types whose bytes are text that can be decoded; a `charset` makes every type text. */
  get isText(): boolean {
    if (this.decoder === undefined) return false;
    return this.charset !== undefined || this.type === 'text' || this.hasTextSubtype;
  }

  /** The text of the bytes, without a byte order mark. */
  decode(bytes: Uint8Array): string {
    return (this.decoder ?? utf8).decode(bytes);
  }

  private get hasTextSubtype(): boolean {
    const { type, subtype } = this;
    return type === 'application'
      ? TEXT_SUBTYPES.test(subtype)
      : /\+(?:json|xml|yaml)$/.test(subtype);
  }
}

const utf8 = new TextDecoder();

function decoderFor(charset: string): TextDecoder | undefined {
  if (/^utf-?8$/i.test(charset)) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
