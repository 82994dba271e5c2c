/** A request as it travels, for what the official client would never send. */

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

export interface WireOptions {
  /** Replaces or removes (`undefined`) headers. */
  headers?: Record<string, string | undefined>;
  /** Replaces or removes (`undefined`) members of `_meta`. */
  meta?: Record<string, unknown>;
  id?: string | number;
  signal?: AbortSignal;
}

export interface WireError {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

export interface WireResult {
  resultType: string;
  content?: { type: string; text?: string }[];
  isError?: boolean;
  structuredContent?: unknown;
  inputRequests?: Record<string, { method: string; params: { message: string } }>;
  requestState?: string;
  _meta?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    jsonrpc?: string;
    id?: string | number;
    result?: WireResult;
    error?: WireError;
  };
}

/** Sends one request with everything the protocol demands of it. */
export function send(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, meta = {}, id = 1, signal }: WireOptions = {},
): Promise<WireResponse> {
  const name = params['name'] ?? params['uri'];
  const body = {
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: { ...ENVELOPE, ...meta } },
  };
  return post(
    url,
    JSON.stringify(body),
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    signal,
  );
}

/** Posts a body with the media types the endpoint wants. */
export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string | undefined> = {},
  signal?: AbortSignal,
): Promise<WireResponse> {
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    body,
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

/** Calls a tool. */
export function callTool(
  url: string,
  name: string,
  args: Record<string, unknown> = {},
  rest: Record<string, unknown> = {},
  options: WireOptions = {},
): Promise<WireResponse> {
  return send(url, 'tools/call', { name, arguments: args, ...rest }, options);
}

/** The result of a response that must have one. */
export function resultOf({ body, text }: WireResponse): WireResult {
  if (body.result === undefined) throw new Error(`expected a result, got ${text}`);
  return body.result;
}

/** The error of a response that must have one. */
export function errorOf({ body, text }: WireResponse): WireError {
  if (body.error === undefined) throw new Error(`expected an error, got ${text}`);
  return body.error;
}

/** The token of a response that must have suspended. */
export function stateOf(response: WireResponse): string {
  const { requestState } = resultOf(response);
  if (requestState === undefined) throw new Error(`expected input_required, got ${response.text}`);
  return requestState;
}

/** The first text of a tool's result. */
export function textOf(response: WireResponse): string | undefined {
  return resultOf(response).content?.[0]?.text;
}

/** The messages of an event stream; the last one is the answer. */
export function eventsOf({ text }: WireResponse): WireResponse['body'][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as WireResponse['body']);
}

function parse(text: string): WireResponse['body'] {
  try {
    return JSON.parse(text) as WireResponse['body'];
  } catch {
    return {};
  }
}
