import type { McpBackground } from '../../exchange/index.js';
import type { McpPlayedRound } from '../../pipeline/index.js';
import type {
  CallToolResult,
  ClientCapabilities,
  Implementation,
  InputRequest,
  JsonValue,
} from '../../protocol/index.js';
import type { LedgerEntry } from '../../replay/index.js';

/** One round of a tool whose conversation is kept in a record. */
export interface McpRecordedRound {
  readonly tool: string;
  /** As they came, unvalidated. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Who called, when guards let the call pass. */
  readonly principal: string | null;
  readonly protocolVersion: string;
  readonly clientInfo?: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  readonly conversationId: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  /** From 1. */
  readonly round: number;
  readonly entries: readonly LedgerEntry[];
  /** Answers that no round was played with, by key. */
  readonly answers: { readonly [key: string]: JsonValue };
  /** Whom it tells of progress, and who may end it. */
  readonly background: McpBackground;
  /** Keeps what is recorded, before the handler learns of it; a rejection ends the round as `unplayed`. */
  save(entries: readonly LedgerEntry[]): Promise<void>;
}

/** What a server does for its extension. */
export interface McpExtensionHost {
  /** What records of the extension carry, so that none of another server passes for one of this. */
  readonly scope: string;
  /** Epoch milliseconds, by the server's clock. */
  now(): number;
  /** Tells listeners of every instance that something of the extension has changed. */
  changed(key: string): void;
  /** Calls back when something has, on any instance that shares the change bus. */
  onChanged(listener: (key: string) => void): void;
  /**
   * Plays a round: interceptors, pipes and filters run, guards do not. `unplayed` where the tool is not
   * on this instance, or as busy as it may be. Never rejects.
   */
  play(
    round: McpRecordedRound,
  ): Promise<McpPlayedRound<CallToolResult> & { readonly entries: readonly LedgerEntry[] }>;
  /**
   * Holds an answer against the shape that its question asks for; a form judges its content in the round.
   * @throws RequestStateRejectedException
   */
  readAnswer(question: InputRequest, key: string, answer: unknown): JsonValue;
}
