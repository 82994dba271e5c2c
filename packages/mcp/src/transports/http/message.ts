import { InvalidRequestException, ParseErrorException } from '../../exceptions/index.js';
import { isJsonObject, isRequestId, type JsonRpcRequest } from '../../protocol/index.js';

/** What a body holds. */
export type Message =
  | { readonly type: 'request'; readonly request: JsonRpcRequest }
  | { readonly type: 'notification' };

/**
 * Reads one JSON-RPC request or notification.
 * @throws ParseErrorException | InvalidRequestException
 */
export function readMessage(body: string): Message {
  return classify(parse(body));
}

/** @throws InvalidRequestException when the value is neither a request nor a notification */
export function classify(value: unknown): Message {
  if (Array.isArray(value)) {
    throw new InvalidRequestException('Batches are not part of the protocol. Send one message.');
  }
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') {
    throw new InvalidRequestException('The body is not a JSON-RPC 2.0 message.');
  }
  if ('result' in value || 'error' in value) {
    throw new InvalidRequestException(
      'Clients send no responses. Answer questions with params.inputResponses of a retry.',
    );
  }
  const id = isRequestId(value['id']) ? value['id'] : undefined;
  if (typeof value['method'] !== 'string') {
    throw new InvalidRequestException('The message has no method.', 400, id);
  }
  if (value['params'] !== undefined && !isJsonObject(value['params'])) {
    throw new InvalidRequestException('params must be an object.', 400, id);
  }
  if (value['id'] === undefined) return { type: 'notification' };
  if (id === undefined) {
    throw new InvalidRequestException('The id must be a string or an integer.');
  }
  return { type: 'request', request: value as unknown as JsonRpcRequest };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The parser's own words quote the body.
    throw new ParseErrorException(
      body === '' ? 'it is empty' : `${body.length} characters were read`,
    );
  }
}
