import { InvalidRequestException, type McpException } from '../../exceptions/index.js';
import type { McpHeaders } from '../../exchange/index.js';
import { LOOPBACK_HOSTS } from '../../mcp.constants.js';
import type { ResolvedHttpOptions } from '../../options/index.js';
import type { HttpRequestView } from './http-port.js';

/**
 * What the endpoint demands of HTTP itself, before it reads a body: who may call from a browser
 * (`Origin`), under which name (`Host`, in HTTP/2 `:authority`), with which method and media types.
 * @throws InvalidRequestException with the HTTP status
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-endpoint
 */
export class HttpRules {
  private readonly host = remembered((host) => this.checkHost(host));
  private readonly contentType = remembered(checkContentType);
  private readonly accept = remembered(checkAccept);

  /** @param methods that the endpoint takes; with others than POST no body comes */
  constructor(
    private readonly options: ResolvedHttpOptions,
    private readonly methods: readonly string[] = ['POST'],
  ) {}

  check({ method, headers }: HttpRequestView): void {
    for (const host of hostsOf(headers)) this.host(host);
    this.checkOrigin(single(headers['origin']));
    if (method !== 'POST') {
      if (!this.methods.includes(method)) {
        throw new MethodNotAllowedException(method, this.methods);
      }
      if (method === 'GET') checkAcceptsEvents(single(headers['accept']));
      return;
    }
    this.contentType(single(headers['content-type']));
    checkContentEncoding(single(headers['content-encoding']));
    this.accept(single(headers['accept']));
    this.checkLength(single(headers['content-length']));
  }

  private checkHost(host: string | undefined): void {
    const { allowedHosts } = this.options;
    if (allowedHosts.includes('*')) return;
    const name = host?.toLowerCase() ?? '';
    if (allowedHosts.includes(name) || allowedHosts.includes(withoutPort(name))) return;
    throw new InvalidRequestException(
      'Forbidden: this Host is not allowed. Add it to http.allowedHosts of McpModule if the server is meant to be reached under it.',
      403,
    );
  }

  private checkOrigin(origin: string | undefined): void {
    const { allowedOrigins } = this.options;
    if (origin === undefined || allowedOrigins?.includes('*') === true) return;
    const allowed =
      allowedOrigins === undefined
        ? LOOPBACK_HOSTS.includes(hostnameOf(origin))
        : allowedOrigins.includes(origin);
    if (allowed) return;
    throw new InvalidRequestException(
      'Forbidden: this Origin is not allowed. Add it to http.allowedOrigins of McpModule if its pages are meant to call the server.',
      403,
    );
  }

  private checkLength(length: string | undefined): void {
    if (length !== undefined && Number(length) > this.options.maxBodyBytes) {
      throw bodyTooLarge(this.options.maxBodyBytes);
    }
  }
}

type HeaderCheck = (value: string | undefined) => void;

/** How many values are remembered; the clients of a server send a handful. */
const REMEMBERED = 64;

/** A check that is not made again of the values that have passed it. */
function remembered(check: HeaderCheck): HeaderCheck {
  const passed = new Set<string | undefined>();
  return (value) => {
    if (passed.has(value)) return;
    check(value);
    if (passed.size < REMEMBERED) passed.add(value);
  };
}

/** HTTP 405; messages come with POST. */
export class MethodNotAllowedException extends InvalidRequestException {
  constructor(
    method: string,
    private readonly allowed: readonly string[],
  ) {
    super(`${method} is not allowed here. Send messages with POST.`, 405);
  }

  override get httpHeaders(): Readonly<Record<string, string>> {
    return { Allow: this.allowed.join(', ') };
  }
}

/** HTTP 413. */
export function bodyTooLarge(maxBodyBytes: number): McpException {
  return new InvalidRequestException(
    `The body is larger than ${maxBodyBytes} bytes. Send less, or raise http.maxBodyBytes.`,
    413,
  );
}

function checkContentType(contentType: string | undefined): void {
  const [essence, ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  if (
    essence?.trim() !== 'application/json' ||
    (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
  ) {
    throw new InvalidRequestException('Content-Type must be application/json, in UTF-8.', 415);
  }
}

/** Bodies are read as they are. */
function checkContentEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new InvalidRequestException('Content-Encoding is not supported. Send plain JSON.', 415);
  }
}

/** No `Accept` at all means anything, as in RFC 9110. */
function checkAccept(accept: string | undefined): void {
  if (accept === undefined) return;
  const ranges = rangesOf(accept);
  if (!accepts(ranges, 'application', 'json') || !accepts(ranges, 'text', 'event-stream')) {
    throw new InvalidRequestException(
      'Not acceptable: Accept must list application/json and text/event-stream.',
      406,
    );
  }
}

function checkAcceptsEvents(accept: string | undefined): void {
  if (accept === undefined || accepts(rangesOf(accept), 'text', 'event-stream')) return;
  throw new InvalidRequestException('Not acceptable: Accept must list text/event-stream.', 406);
}

function accepts(ranges: readonly unknown[], type: string, subtype: string): boolean {
  return [`${type}/${subtype}`, `${type}/*`, '*/*'].some((range) => ranges.includes(range));
}

/** The media ranges that a client accepts at all. */
function rangesOf(accept: string): readonly (string | undefined)[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(
      ([, ...parameters]) => !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)),
    )
    .map(([range]) => range);
}

/** HTTP/2 has `:authority` in the place of `Host`; a request with both is held to both. */
function hostsOf(headers: McpHeaders): readonly (string | undefined)[] {
  const names = [headers['host'], headers[':authority']].filter((name) => name !== undefined);
  return names.length === 0 ? [undefined] : names.map(single);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}

function hostnameOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
