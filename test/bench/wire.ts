/** Requests as they travel. */
export interface WireRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const VERSION = '2026-07-28';

/** A request with everything the protocol demands of it. */
export function wireRequest(
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): WireRequest {
  const { name } = params;
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': VERSION,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
          ...meta,
        },
      },
    }),
  };
}

/** A call of a tool; `rest` is what follows in a later round. */
export function toolCall(
  name: string,
  args: Record<string, unknown> = {},
  rest: Record<string, unknown> = {},
): WireRequest {
  return wireRequest('tools/call', { name, arguments: args, ...rest });
}

/** The result of a response, as far as this bench reads it. */
export interface WireResult {
  readonly resultType?: string;
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly tools?: readonly unknown[];
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

/** @throws Error when the response has no result, or one that is an error */
export function resultOf(text: string): WireResult {
  const { result } = JSON.parse(text) as { result?: WireResult };
  if (result === undefined || result.isError === true) {
    throw new Error(`Expected a result, got ${text.slice(0, 500)}`);
  }
  return result;
}
