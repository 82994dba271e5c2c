import { HeaderMismatchException } from '../exceptions/index.js';
import type { McpHeaders } from './mcp-origin.js';

/** Visible ASCII, space and tab; Node reads other bytes as Latin-1. */
const PLAIN = /^[\t\x20-\x7e]*$/;
const SENTINEL = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * A header without the space around it; `undefined` when there is none.
 * @param name as the protocol writes it
 * @throws HeaderMismatchException for one that is repeated
 */
export function readHeader(headers: McpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.trim();
  throw new HeaderMismatchException(`the ${name} header is repeated. Send it once.`);
}

/**
 * A header's value, or what its Base64 sentinel stands for.
 * @throws HeaderMismatchException for raw characters that must be encoded, and for a broken encoding
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function decodeHeader(name: string, value: string): string {
  const encoded = SENTINEL.exec(value)?.[1];
  if (encoded === undefined) {
    if (PLAIN.test(value)) return value;
    throw new HeaderMismatchException(
      `the ${name} header has characters that must travel as Base64: =?base64?…?=`,
    );
  }
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  if (!BASE64.test(encoded) || !Buffer.from(text).equals(bytes)) {
    throw new HeaderMismatchException(`the ${name} header is not valid Base64 of UTF-8 text`);
  }
  return text;
}

/** A header that says something else than the body. */
export function headerMismatch(
  name: string,
  header: string,
  body: string | number | boolean,
): HeaderMismatchException {
  return new HeaderMismatchException(
    `${name} header value ${quote(header)} does not match body value ${quote(body)}`,
  );
}

/** How much of a value an answer repeats. */
const QUOTED = 200;

function quote(value: string | number | boolean): string {
  return typeof value === 'string' && value.length > QUOTED
    ? `${JSON.stringify(value.slice(0, QUOTED))}…`
    : JSON.stringify(value);
}
