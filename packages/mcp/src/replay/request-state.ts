import type { ReplayableMethod } from '../protocol/index.js';
import type { LedgerEntry } from './ledger.js';

/** What travels, sealed, in `requestState`: the whole conversation. */
export interface RequestState {
  readonly conversationId: string;
  /** The round that issued the token, from 1. */
  readonly round: number;
  /** When the conversation began, in epoch milliseconds. */
  readonly startedAt: number;
  /** When this token was issued, in epoch milliseconds. */
  readonly issuedAt: number;
  readonly principal: string | null;
  readonly method: ReplayableMethod;
  /** Tool or prompt name, or resource uri. */
  readonly target: string;
  /** Fingerprint of the arguments. */
  readonly argumentsDigest: string;
  readonly entries: readonly LedgerEntry[];
}
