import type { ElicitRequest } from './elicitation.js';
import type { Result } from './results.js';
import type { ListRootsRequest } from './roots.js';
import type { CreateMessageRequest } from './sampling.js';

/** A request the server embeds in a result for the client to fulfil. */
export type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest;

/** Questions to the client by their keys. */
export interface InputRequests {
  [key: string]: InputRequest;
}

/** What a suspended round asks for. */
export interface Suspension extends Result {
  resultType: 'input_required';
  inputRequests: InputRequests;
}

/**
 * A result that asks the client for input and to retry the same call.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequiredresult
 */
export interface InputRequiredResult extends Suspension {
  requestState: string;
}
