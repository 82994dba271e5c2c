import { randomBytes } from 'node:crypto';
import type { TaskRecord } from '@dacapo/tasks';

/** How long the tasks of a contract live, where nothing else is said, in milliseconds. */
export const TTL_MS = 60_000;

/** An id as tasks have it. */
export function someTaskId(): string {
  return randomBytes(32).toString('base64url');
}

/** A task that has asked and been answered: something of everything a record holds. */
export function sampleRecord(nowMs: number, changes: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: someTaskId(),
    server: 'contract@1.0.0',
    status: 'working',
    statusMessage: 'Baking',
    createdAtMs: nowMs,
    lastUpdatedAtMs: nowMs,
    ttlMs: TTL_MS,
    pollIntervalMs: 1_000,
    call: {
      tool: 'bake',
      arguments: { cake: 'Sacher', layers: [1, 2.5, { jam: true, cream: null }] },
      principal: 'ada',
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'contract', version: '1.0.0' },
      capabilities: { elicitation: {} },
    },
    conversationId: 'c-1',
    entries: [],
    questions: [
      {
        wireKey: 'q-1',
        key: 'elicit-1',
        request: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Sure?',
            requestedSchema: { type: 'object', properties: {} },
          },
        },
        closed: true,
      },
    ],
    answers: { 'elicit-1': { action: 'accept', content: { yes: true } } },
    round: 0,
    wake: 1,
    due: true,
    version: 1,
    ...changes,
  };
}
