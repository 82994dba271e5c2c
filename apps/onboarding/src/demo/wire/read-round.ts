import { McpMethod } from '@dacapo/mcp';
import type { AskedQuestion, Round, RoundOutcome, SentAnswer } from './round.js';

/** What is read of a request. */
export interface WireRequest {
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly requestState?: string;
    readonly inputResponses?: Readonly<Record<string, SentAnswer>>;
  };
}

/** What is read of a response. */
interface WireResponse {
  readonly result?: {
    readonly resultType?: string;
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

/** True for the methods whose handlers may ask. */
export function mayAsk({ method }: WireRequest): boolean {
  return CONVERSING.includes(method);
}

/** Reads a round from what was sent and what came back: a JSON body, or an event stream. */
export function readRound(
  number: number,
  { method = '', params = {} }: WireRequest,
  status: number,
  body: string,
): Round {
  return {
    number,
    method,
    target: params.name ?? params.uri ?? '',
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
    questions: Object.entries(result.inputRequests ?? {}).map(([key, question]): AskedQuestion => ({
      key,
      method: question.method,
    })),
    stateBytes: bytesOf(result.requestState),
  };
}

/** The last message with a result or an error; an event stream may carry notifications before it. */
function readResponse(body: string): WireResponse {
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

function bytesOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Buffer.byteLength(text);
}
