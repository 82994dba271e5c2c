import { HeaderMismatchException } from '../../exceptions/index.js';
import {
  decodeHeader,
  headerMismatch,
  type McpExchange,
  readHeader,
} from '../../exchange/index.js';
import { isJsonObject } from '../../protocol/index.js';
import type { HeaderParam } from '../../schema/index.js';

/** Only what a double holds exactly is compared as a number: `42`, `-7`, `42.0`. */
const INTEGER = /^-?\d+(?:\.0+)?$/;

/**
 * Holds the `Mcp-Param-*` headers of a call against its arguments, so that what a gateway routed on is
 * what runs. Over stdio there are no headers, nor do clients of
 * earlier revisions send them.
 *
 * 1. An argument that is there has its header; one that is absent or `null` has none.
 * 2. The header says the same, once decoded; whole numbers are compared as numbers.
 * 3. Of what kind the argument is, is for the validation to say, after guards.
 *
 * @throws HeaderMismatchException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
 */
export function checkHeaderParams(
  params: readonly HeaderParam[],
  { transport, headers, isEarlier }: McpExchange,
  args: Record<string, unknown>,
): void {
  if (transport !== 'http' || isEarlier) return;
  for (const param of params) {
    const { header, path } = param;
    const raw = readHeader(headers, header);
    const text = raw === undefined ? undefined : decodeHeader(header, raw);
    const value = valueAt(args, path);
    if (value === undefined || value === null) {
      if (text === undefined) continue;
      throw new HeaderMismatchException(
        `the ${header} header is there, and the argument ${path.join('.')} is not. Leave the header out.`,
      );
    }
    if (text === undefined) {
      throw new HeaderMismatchException(
        `the ${header} header is missing. It carries the argument ${path.join('.')}, as the tool's inputSchema says.`,
      );
    }
    if (!isScalar(value)) {
      throw new HeaderMismatchException(
        `the argument ${path.join('.')} is an object or a list, which no ${header} header can match`,
      );
    }
    if (!matches(param, text, value)) throw headerMismatch(header, text, value);
  }
}

type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function matches({ type, header, path }: HeaderParam, text: string, value: Scalar): boolean {
  if (type !== 'integer' || !Number.isInteger(value)) return text === String(value);
  if (!Number.isSafeInteger(value)) {
    throw new HeaderMismatchException(
      `the argument ${path.join('.')} is beyond the whole numbers that the ${header} header can be held against (2^53 - 1)`,
    );
  }
  return INTEGER.test(text) && Number(text) === value;
}

function valueAt(args: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
