import { isDeepStrictEqual } from 'node:util';
import type { InputRequest, InputRequests, JsonValue, McpPlayedRound } from '@dacapo/mcp';
import type { CallToolResult, LedgerEntry } from '@dacapo/mcp';
import type { TaskQuestion, TaskRecord } from './task-record.js';

/*
 * What becomes of a record.
 *
 * 1. A wire key stands for one question: what is asked again, or otherwise, gets another one.
 * 2. An answer closes its question at once; every update has a round played.
 * 3. What a round was not played with when it ends has another one played.
 */

/** A round that ended for good, or asks. */
export type EndedRound = Exclude<McpPlayedRound<CallToolResult>, { type: 'unplayed' }>;

/** Answers have come: a round is due, if none is. */
export function answered(
  record: TaskRecord,
  answers: { readonly [wireKey: string]: JsonValue },
  now: number,
): TaskRecord {
  const given: Record<string, JsonValue> = {};
  const questions = record.questions.map((question) => {
    const answer = Object.hasOwn(answers, question.wireKey) ? answers[question.wireKey] : undefined;
    if (question.closed || answer === undefined) return question;
    given[question.key] = answer;
    return { ...question, closed: true };
  });
  if (Object.keys(given).length === 0) return record;
  return {
    ...record,
    status: statusOf(questions),
    questions,
    answers: { ...record.answers, ...given },
    ...(!record.due && { due: true, wake: record.wake + 1 }),
    lastUpdatedAtMs: now,
  };
}

/** A round has ended. @param given the keys of the answers it was played with */
export function ended(
  record: TaskRecord,
  played: EndedRound,
  entries: readonly LedgerEntry[],
  given: ReadonlySet<string>,
  now: number,
): TaskRecord {
  if (played.type === 'suspended') {
    return suspended({ ...record, entries, lastUpdatedAtMs: now }, played.inputRequests, given);
  }
  const { statusMessage: _, ...rest } = record;
  const over = { ...closed(rest, now), entries };
  return played.type === 'completed'
    ? { ...over, status: 'completed', result: played.result }
    : { ...over, status: 'failed', error: played.error, statusMessage: played.error.message };
}

/** The client has taken it back. */
export function cancelled(record: TaskRecord, now: number): TaskRecord {
  return {
    ...closed(record, now),
    status: 'cancelled',
    statusMessage: 'Cancelled by the client.',
  };
}

/** What the client must answer, by wire key. */
export function openRequests({ questions }: TaskRecord): InputRequests {
  return Object.fromEntries(
    questions
      .filter((question) => !question.closed)
      .map(({ wireKey, request }) => [wireKey, request]),
  );
}

function closed(record: TaskRecord, now: number): TaskRecord {
  const questions = record.questions.map((question) => ({ ...question, closed: true }));
  return { ...record, questions, answers: {}, due: false, lastUpdatedAtMs: now };
}

function suspended(
  record: TaskRecord,
  inputRequests: InputRequests,
  given: ReadonlySet<string>,
): TaskRecord {
  const answers = Object.fromEntries(
    Object.entries(record.answers).filter(([key]) => !given.has(key)),
  );
  const due = Object.keys(answers).length > 0;
  const asked = Object.entries(inputRequests).filter(([key]) => !Object.hasOwn(answers, key));
  const questions = merged(record.questions, asked);
  return {
    ...record,
    status: statusOf(questions),
    questions,
    answers,
    due,
    wake: due ? record.wake + 1 : record.wake,
  };
}

function merged(
  known: readonly TaskQuestion[],
  asked: readonly (readonly [string, InputRequest])[],
): readonly TaskQuestion[] {
  const now = new Map(asked.map(([key, request]) => [key, asJson(request)]));
  const questions = known.map((question) =>
    question.closed || isDeepStrictEqual(question.request, now.get(question.key))
      ? question
      : { ...question, closed: true },
  );
  const open = new Set(questions.filter((question) => !question.closed).map(({ key }) => key));
  const wireKeys = new Set(questions.map(({ wireKey }) => wireKey));
  for (const [key, request] of now) {
    if (!open.has(key))
      questions.push({ wireKey: unused(key, wireKeys), key, request, closed: false });
  }
  return questions;
}

/** Keys of the ledger have no `~`. */
function unused(key: string, taken: ReadonlySet<string>): string {
  let wireKey = key;
  for (let count = 2; taken.has(wireKey); count += 1) wireKey = `${key}~${count}`;
  return wireKey;
}

function statusOf(questions: readonly TaskQuestion[]): 'working' | 'input_required' {
  return questions.some((question) => !question.closed) ? 'input_required' : 'working';
}

function asJson(request: InputRequest): InputRequest {
  return JSON.parse(JSON.stringify(request)) as InputRequest;
}
