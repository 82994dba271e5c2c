import { InvalidRequestException, ParseErrorException } from '../exceptions/index.js';
import {
  isJsonObject,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from '../protocol/index.js';

/** What a client has sent. */
export type Message =
  | { readonly type: 'request'; readonly request: JsonRpcRequest }
  | { readonly type: 'notification'; readonly notification: JsonRpcNotification }
  /** Clients answer questions with a retry; whether a response is refused or ignored is up to the transport. */
  | { readonly type: 'response' };

/**
 * Reads one JSON-RPC message.
 * @throws ParseErrorException | InvalidRequestException
 */
export function readMessage(text: string): Message {
  return classify(parseMessage(text));
}

/** @throws InvalidRequestException when the value is no message */
export function classify(value: unknown): Message {
  if (Array.isArray(value)) {
    throw new InvalidRequestException('Batches are not part of the protocol. Send one message.');
  }
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') {
    throw new InvalidRequestException('This is not a JSON-RPC 2.0 message.');
  }
  const id = isRequestId(value['id']) ? value['id'] : undefined;
  if ('result' in value || 'error' in value) {
    if (!('method' in value)) return { type: 'response' };
    throw new InvalidRequestException('The message is a request and a response.', 400, id);
  }
  if (typeof value['method'] !== 'string') {
    throw new InvalidRequestException('The message has no method.', 400, id);
  }
  if (value['params'] !== undefined && !isJsonObject(value['params'])) {
    throw new InvalidRequestException('params must be an object.', 400, id);
  }
  if (value['id'] === undefined) {
    return { type: 'notification', notification: value as unknown as JsonRpcNotification };
  }
  if (id === undefined) {
    throw new InvalidRequestException('The id must be a string or an integer.');
  }
  return { type: 'request', request: value as unknown as JsonRpcRequest };
}

/** @throws ParseErrorException */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text.
    throw new ParseErrorException(
      text === '' ? 'it is empty' : `${text.length} characters were read`,
    );
  }
}
