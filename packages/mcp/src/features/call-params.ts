import { InvalidParamsException } from '../exceptions/index.js';
import type { CallRequest } from '../pipeline/index.js';
import { isJsonObject, type ReplayableMethod } from '../protocol/index.js';

/** The call a request asks for. @throws InvalidParamsException when a member has the wrong type */
export function callRequest(
  method: ReplayableMethod,
  member: 'name' | 'uri',
  params: Record<string, unknown>,
): CallRequest {
  const target = params[member];
  if (typeof target !== 'string') {
    throw new InvalidParamsException(`params.${member} must be a string.`);
  }
  const args = params['arguments'];
  if (args !== undefined && !isJsonObject(args)) {
    throw new InvalidParamsException('params.arguments must be an object.');
  }
  return {
    method,
    target,
    arguments: args ?? {},
    inputResponses: params['inputResponses'],
    requestState: params['requestState'],
  };
}
