import { McpMethod } from '@dacapo/mcp';
import { TaskMethod } from '@dacapo/tasks';
import type { AskedQuestion, Round, RoundOutcome, SentAnswer } from './round.js';

/** What is read of a request. */
export interface WireRequest {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly taskId?: string;
    readonly requestState?: string;
    readonly inputResponses?: Readonly<Record<string, SentAnswer>>;
    readonly _meta?: object;
  };
}

/** What is read of a response. */
export interface WireResponse {
  readonly result?: {
    readonly resultType?: string;
    readonly status?: string;
    readonly statusMessage?: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const CONVERSING: readonly (string | undefined)[] = [
  McpMethod.ToolsCall,
  McpMethod.PromptsGet,
  McpMethod.ResourcesRead,
];

const TASK_METHODS: readonly (string | undefined)[] = Object.values(TaskMethod);
/** Enough of a task's id to tell it from others. */
const ID_LENGTH = 8;

/** Reads a request: nothing of a body that is none. */
export function readRequest(body: unknown): WireRequest {
  return typeof body === 'string' ? (JSON.parse(body) as WireRequest) : {};
}

/** True for the methods whose handlers may ask. */
export function mayAsk({ method }: WireRequest): boolean {
  return CONVERSING.includes(method);
}

/** True for the methods that concern a task. */
export function isOfTask({ method }: WireRequest): boolean {
  return TASK_METHODS.includes(method);
}

/** Reads a round from what was sent and what came back: a JSON body, or an event stream. */
export function readRound(
  number: number | undefined,
  { method = '', params = {} }: WireRequest,
  status: number,
  body: string,
): Round {
  return {
    number,
    method,
    target: params.name ?? params.uri ?? shortened(params.taskId),
    answers: new Map(Object.entries(params.inputResponses ?? {})),
    stateBytes: bytesOf(params.requestState),
    outcome: readOutcome(status, body),
  };
}

function readOutcome(status: number, body: string): RoundOutcome {
  const { result, error } = readResponse(body);
  if (result === undefined) {
    const message = error?.message ?? `The server answered with HTTP ${status}.`;
    return { type: 'error', status, code: error?.code, message };
  }
  return {
    type: 'result',
    resultType: result.resultType ?? 'complete',
    task:
      result.status === undefined
        ? undefined
        : { status: result.status, message: result.statusMessage },
    questions: Object.entries(result.inputRequests ?? {}).map(([key, question]): AskedQuestion => ({
      key,
      method: question.method,
    })),
    stateBytes: bytesOf(result.requestState),
  };
}

/** The last message with a result or an error; an event stream may carry notifications before it. */
export function readResponse(body: string): WireResponse {
  const texts = body
    .split('\n')
    .map((line) => (line.startsWith('data:') ? line.slice('data:'.length) : line));
  return (
    texts
      .map(parse)
      .findLast((message) => message.result !== undefined || message.error !== undefined) ?? {}
  );
}

function parse(text: string): WireResponse {
  try {
    return (JSON.parse(text) ?? {}) as WireResponse;
  } catch {
    return {};
  }
}

function shortened(taskId = ''): string {
  return taskId.length > ID_LENGTH ? `${taskId.slice(0, ID_LENGTH)}…` : taskId;
}

function bytesOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Buffer.byteLength(text);
}
