import { randomUUID } from 'node:crypto';
import type { TaskRecord } from './task-record.js';

/** A task that is at work, and waits for nothing. */
export function someRecord(rest: Partial<TaskRecord> = {}): TaskRecord {
  const now = Date.now();
  return {
    taskId: randomUUID(),
    server: 'books',
    status: 'working',
    createdAtMs: now,
    lastUpdatedAtMs: now,
    ttlMs: 60_000,
    pollIntervalMs: 1_000,
    call: {
      tool: 'import',
      arguments: {},
      principal: null,
      protocolVersion: '2026-07-28',
      capabilities: {},
    },
    conversationId: 'c',
    entries: [],
    questions: [],
    answers: {},
    round: 1,
    wake: 1,
    due: true,
    version: 1,
    ...rest,
  };
}
