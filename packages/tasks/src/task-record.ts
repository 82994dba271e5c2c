import type {
  CallToolResult,
  ClientCapabilities,
  Implementation,
  InputRequest,
  JsonRpcErrorObject,
  JsonValue,
  LedgerEntry,
} from '@dacapo/mcp';
import type { TaskStatus } from './protocol/task.js';

/** The call that became a task, with what its worker must know of the caller. */
export interface TaskCall {
  readonly tool: string;
  /** As they came, unvalidated: the task validates them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Who called; nobody else finds the task. */
  readonly principal: string | null;
  readonly protocolVersion: string;
  readonly clientInfo?: Implementation;
  readonly capabilities: ClientCapabilities;
}

/** A question of a task. Its place in the list is that of its being asked. */
export interface TaskQuestion {
  /** What the client knows it by: unlike that of any other question the task has ever asked. */
  readonly wireKey: string;
  /** Its key in the ledger. */
  readonly key: string;
  readonly request: InputRequest;
  /** Whether an answer came, or the handler has moved on without one. */
  readonly closed: boolean;
}

/**
 * All there is of a task: JSON, so that any instance can go on with it. The ledger lives here, as it
 * lives in `requestState` for other calls.
 */
export interface TaskRecord {
  /** 256 random bits: 43 characters of base64url. */
  readonly taskId: string;
  /** Which server it belongs to, among those that share a store. */
  readonly server: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Epoch milliseconds. */
  readonly lastUpdatedAtMs: number;
  /** From `createdAtMs` on; after that the task is unknown. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly call: TaskCall;
  readonly conversationId: string;
  /** The ledger. */
  readonly entries: readonly LedgerEntry[];
  readonly questions: readonly TaskQuestion[];
  /** Answers that no round has been played with yet, by key of the ledger. */
  readonly answers: { readonly [key: string]: JsonValue };
  /** How many rounds have begun. What an earlier one writes is refused. */
  readonly round: number;
  /** How often it was scheduled; each time is one job of the runner. */
  readonly wake: number;
  /** Whether a round is due: scheduled, and not begun or not ended. */
  readonly due: boolean;
  /** Of a completed task. */
  readonly result?: CallToolResult;
  /** Of a failed task. */
  readonly error?: JsonRpcErrorObject;
  /** Grows with every change. */
  readonly version: number;
}

/** Whether a task has ended, for good. */
export function isTerminal({ status }: Pick<TaskRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** When a task ceases to be known, in epoch milliseconds. */
export function expiresAtMs({ createdAtMs, ttlMs }: TaskRecord): number {
  return createdAtMs + ttlMs;
}
