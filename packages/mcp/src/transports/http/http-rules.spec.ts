import { InvalidRequestException } from '../../exceptions/index.js';
import type { McpHeaders } from '../../exchange/index.js';
import { type McpHttpOptions, ResolvedOptions } from '../../options/index.js';
import { bodyTooLarge, HttpRules, MethodNotAllowedException } from './http-rules.js';

const HEADERS: McpHeaders = {
  host: 'localhost:3000',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

function rules(http: McpHttpOptions = {}): HttpRules {
  return new HttpRules(new ResolvedOptions({ server: { name: 'a', version: '1' }, http }).http);
}

/** The status of the refusal; `undefined` when the request may pass. */
function status(headers: McpHeaders, http?: McpHttpOptions, method = 'POST'): number | undefined {
  try {
    rules(http).check({ method, headers: { ...HEADERS, ...headers }, request: undefined });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRequestException) return error.httpStatus;
    throw error;
  }
}

function refusal(headers: McpHeaders, method = 'POST'): InvalidRequestException {
  try {
    rules().check({ method, headers: { ...HEADERS, ...headers }, request: undefined });
  } catch (error) {
    if (error instanceof InvalidRequestException) return error;
  }
  throw new Error('was not refused');
}

describe('the rules of the endpoint', () => {
  it('let an ordinary request pass', () => {
    expect(status({})).toBeUndefined();
  });

  it.each<[string | undefined, McpHttpOptions, number | undefined]>([
    ['localhost', {}, undefined],
    ['localhost:3000', {}, undefined],
    ['LOCALHOST:3000', {}, undefined],
    ['127.0.0.1', {}, undefined],
    ['127.0.0.1:80', {}, undefined],
    ['[::1]', {}, undefined],
    ['[::1]:3000', {}, undefined],
    [undefined, {}, 403],
    ['', {}, 403],
    ['example.com', {}, 403],
    ['localhost.example.com', {}, 403],
    ['localhost:', {}, 403],
    ['localhost:3000:3000', {}, 403],
    ['localhost:abc', {}, 403],
    ['evil.com, localhost', {}, 403],
    ['example.com', { allowedHosts: ['example.com'] }, undefined],
    ['example.com:8443', { allowedHosts: ['example.com'] }, undefined],
    ['Example.com', { allowedHosts: ['example.com'] }, undefined],
    ['example.com', { allowedHosts: ['Example.com'] }, undefined],
    ['example.com:8443', { allowedHosts: ['example.com:8443'] }, undefined],
    ['example.com:9443', { allowedHosts: ['example.com:8443'] }, 403],
    ['example.com', { allowedHosts: ['example.com:8443'] }, 403],
    ['localhost', { allowedHosts: ['example.com'] }, 403],
    ['a.example.com', { allowedHosts: ['example.com'] }, 403],
    ['anything', { allowedHosts: ['*'] }, undefined],
    [undefined, { allowedHosts: ['*'] }, undefined],
    ['localhost', { allowedHosts: [] }, 403],
  ])('let the host %p in with %j: %p', (host, http, expected) => {
    expect(status({ host }, http)).toBe(expected);
  });

  it.each<[string | undefined, string, McpHttpOptions, number | undefined]>([
    [undefined, 'localhost:3000', {}, undefined],
    [undefined, '[::1]:3000', {}, undefined],
    [undefined, 'Example.com:8443', { allowedHosts: ['example.com'] }, undefined],
    [undefined, 'example.com', {}, 403],
    [undefined, '', {}, 403],
    ['localhost', '127.0.0.1:3000', {}, undefined],
    ['localhost', 'example.com', {}, 403],
    ['example.com', 'localhost', {}, 403],
    ['localhost', 'anything', { allowedHosts: ['*'] }, undefined],
  ])('take for a host, over HTTP/2: %p and %p with %j: %p', (host, authority, http, expected) => {
    expect(status({ host, ':authority': authority }, http)).toBe(expected);
  });

  it.each<[string | string[] | undefined, McpHttpOptions, number | undefined]>([
    [undefined, {}, undefined],
    ['http://localhost', {}, undefined],
    ['http://localhost:5173', {}, undefined],
    ['https://127.0.0.1:8443', {}, undefined],
    ['http://[::1]:3000', {}, undefined],
    ['', {}, 403],
    ['null', {}, 403],
    ['localhost', {}, 403],
    ['localhost:3000', {}, 403],
    ['http://example.com', {}, 403],
    ['http://localhost.example.com', {}, 403],
    ['http://example.com/localhost', {}, 403],
    ['http://localhost@example.com', {}, 403],
    ['file://', {}, 403],
    [['http://localhost', 'http://example.com'], {}, 403],
    ['https://app.example.com', { allowedOrigins: ['https://app.example.com'] }, undefined],
    ['https://app.example.com', { allowedOrigins: ['https://example.com'] }, 403],
    ['http://app.example.com', { allowedOrigins: ['https://app.example.com'] }, 403],
    ['https://app.example.com:8443', { allowedOrigins: ['https://app.example.com'] }, 403],
    ['https://app.example.co', { allowedOrigins: ['https://app.example.com'] }, 403],
    ['http://localhost', { allowedOrigins: ['https://app.example.com'] }, 403],
    [undefined, { allowedOrigins: ['https://app.example.com'] }, undefined],
    ['null', { allowedOrigins: ['null'] }, undefined],
    ['http://localhost', { allowedOrigins: [] }, 403],
    [undefined, { allowedOrigins: [] }, undefined],
    ['https://anything.example', { allowedOrigins: ['*'] }, undefined],
    ['null', { allowedOrigins: ['*'] }, undefined],
  ])('let the origin %p in with %j: %p', (origin, http, expected) => {
    expect(status({ origin }, http)).toBe(expected);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'post'])('take no %s', (method) => {
    const error = refusal({}, method);
    expect(error).toBeInstanceOf(MethodNotAllowedException);
    expect(error.httpStatus).toBe(405);
    expect(error.message).toBe(`${method} is not allowed here. Send messages with POST.`);
    expect(error.httpHeaders).toEqual({ Allow: 'POST' });
  });

  it.each<[string | undefined, number | undefined]>([
    ['application/json', undefined],
    ['application/json; charset=utf-8', undefined],
    ['application/json;charset=UTF-8', undefined],
    ['Application/JSON', undefined],
    [' application/json ', undefined],
    ['application/json; charset="utf-8"', undefined],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=iso-8859-1', 415],
    [undefined, 415],
    ['', 415],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/vnd.api+json', 415],
    ['multipart/form-data; boundary=application/json', 415],
    ['text/plain, application/json', 415],
  ])('take the content type %p: %p', (type, expected) => {
    expect(status({ 'content-type': type })).toBe(expected);
  });

  it.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['identity', undefined],
    [' Identity ', undefined],
    ['gzip', 415],
    ['identity, gzip', 415],
    ['', 415],
  ])('take the content encoding %p: %p', (encoding, expected) => {
    expect(status({ 'content-encoding': encoding })).toBe(expected);
  });

  it.each<[string | string[] | undefined, number | undefined]>([
    [undefined, undefined],
    ['*/*', undefined],
    ['application/json, text/event-stream', undefined],
    ['text/event-stream,application/json', undefined],
    ['application/*, text/*', undefined],
    ['APPLICATION/JSON, Text/Event-Stream', undefined],
    ['application/json;q=0.5, text/event-stream;q=0.1', undefined],
    ['application/json ; charset=utf-8 , text/event-stream', undefined],
    [['application/json', 'text/event-stream'], undefined],
    ['text/html, */*;q=0.8', undefined],
    ['application/json, text/event-stream;q=0.001', undefined],
    ['', 406],
    ['application/json', 406],
    ['text/event-stream', 406],
    ['text/*', 406],
    ['text/html', 406],
    ['application/json, text/event-stream;q=0', 406],
    ['application/json;q=0.000, text/event-stream', 406],
    ['*/*;q=0', 406],
    ['application/jsonx, text/event-streams', 406],
  ])('take the accept header %p: %p', (accept, expected) => {
    expect(status({ accept })).toBe(expected);
  });

  it.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['0', undefined],
    ['100', undefined],
    ['101', 413],
    ['99999999999999999999', 413],
    ['abc', undefined],
    ['', undefined],
  ])('take a length of %p where 100 bytes are allowed: %p', (length, expected) => {
    expect(status({ 'content-length': length }, { maxBodyBytes: 100 })).toBe(expected);
  });

  it('look at who calls before anything else', () => {
    const wrong = { host: 'evil.com', origin: 'http://evil.com', accept: 'x', 'content-type': 'x' };
    expect(status(wrong, {}, 'GET')).toBe(403);
    expect(status({ ...wrong, host: 'localhost' }, {}, 'GET')).toBe(403);
    expect(status({ accept: 'x', 'content-type': 'x' }, {}, 'GET')).toBe(405);
    expect(status({ accept: 'x', 'content-type': 'x' })).toBe(415);
    expect(status({ accept: 'x', 'content-length': '9'.repeat(9) })).toBe(406);
  });

  it('name the mend, and never what was sent', () => {
    expect(refusal({ host: 'evil.com' }).message).toBe(
      'Forbidden: this Host is not allowed. Add it to http.allowedHosts of McpModule if the server is meant to be reached under it.',
    );
    expect(refusal({ origin: 'http://evil.com' }).message).toBe(
      'Forbidden: this Origin is not allowed. Add it to http.allowedOrigins of McpModule if its pages are meant to call the server.',
    );
    expect(refusal({ 'content-type': 'x' }).message).toBe(
      'Content-Type must be application/json, in UTF-8.',
    );
    expect(refusal({ accept: 'x' }).message).toBe(
      'Not acceptable: Accept must list application/json and text/event-stream.',
    );
  });
});

describe('bodyTooLarge', () => {
  it('names the limit and the mend', () => {
    const error = bodyTooLarge(100);
    expect([error.httpStatus, error.toJsonRpcError()]).toEqual([
      413,
      {
        code: -32600,
        message: 'The body is larger than 100 bytes. Send less, or raise http.maxBodyBytes.',
      },
    ]);
  });
});
