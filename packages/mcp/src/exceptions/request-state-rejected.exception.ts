import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** Why a retry was refused; sent as `error.data.reason`. */
export type RejectionReason =
  | 'answers_without_state'
  | 'state_malformed'
  | 'state_tampered'
  | 'state_expired'
  | 'conversation_expired'
  | 'too_many_rounds'
  | 'principal_mismatch'
  | 'method_mismatch'
  | 'target_mismatch'
  | 'arguments_mismatch'
  | 'answer_unknown'
  | 'answer_repeated'
  | 'answer_malformed'
  | 'answer_wrong_kind'
  | 'ledger_mismatch'
  | 'state_consumed';

/** A round that is not played: its state or its answers cannot be trusted (-32602). */
export class RequestStateRejectedException extends McpException {
  readonly code = ErrorCode.InvalidParams;

  constructor(
    readonly reason: RejectionReason,
    message: string,
    details: Record<string, unknown> = {},
  ) {
    super(message, { reason, ...details });
  }
}
