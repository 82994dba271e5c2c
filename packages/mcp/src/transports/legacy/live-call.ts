import { InvalidRequestException } from '../../exceptions/index.js';
import {
  type InputRequiredResult,
  type JsonRpcRequest,
  PROTOCOL_VERSION,
  type Result,
} from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import type { LegacyExchange } from './legacy.exchange.js';
import type { LiveAsks } from './live-asks.js';

/**
 * Plays a call to its end: what it asks is asked while the call waits, and every round is a request as a
 * client of this revision would send it. So the ledger, its limits and its checks are the same for both.
 * @param asks where the client can be asked
 * @throws McpException
 */
export async function liveCall(
  dispatcher: McpDispatcher,
  request: JsonRpcRequest,
  exchange: LegacyExchange,
  asks: LiveAsks | undefined,
): Promise<Result> {
  let round = request;
  for (;;) {
    const result = await dispatcher.result(round, exchange);
    if (!isInputRequired(result)) return result;
    const { inputRequests, requestState } = result;
    if (asks === undefined) {
      // A client that has declared nothing is asked nothing, unless an interceptor says so.
      throw new InvalidRequestException(
        `This call asks its client, which can be asked in a session or with ${PROTOCOL_VERSION} only.`,
      );
    }
    const inputResponses = await asks.ask(inputRequests, exchange.send, exchange.onCancel);
    round = { ...request, params: { ...request.params, requestState, inputResponses } };
  }
}

function isInputRequired(result: Result): result is InputRequiredResult {
  return result.resultType === 'input_required';
}
