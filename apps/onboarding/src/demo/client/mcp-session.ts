import { TASKS_EXTENSION } from '@dacapo/tasks';
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { FormSchema } from '../fields/field-schema.js';
import type { Round } from '../wire/round.js';
import { tapFetch } from '../wire/wire-tap.js';
import { playTasks } from './play-tasks.js';

/** A form the server asks the person to fill in. */
export interface Question {
  readonly message: string;
  readonly schema: FormSchema;
}

/** Answers questions of the server. */
export type Answerer = (question: Question) => Promise<ElicitResult>;

export interface SessionOptions {
  readonly url: string;
  /** Bearer token; without one the caller is nobody. */
  readonly token?: string;
  /** Whether calls may become tasks; by default they do not. */
  readonly tasks?: boolean;
  readonly answer: Answerer;
  readonly onRound: (round: Round) => void;
}

/** As many rounds as the server allows by default; the client alone would give up after ten. */
const MAX_ROUNDS = 64;

/** Connects the official client. It plays the rounds of a conversation by itself. */
export async function openSession({
  url,
  token,
  tasks = false,
  answer,
  onRound,
}: SessionOptions): Promise<Client> {
  const client = new Client(
    { name: 'dacapo-demo', version: '0.1.0' },
    {
      capabilities: {
        elicitation: {},
        ...(tasks && { extensions: { [TASKS_EXTENSION]: {} } }),
      },
      versionNegotiation: { mode: 'auto' },
      inputRequired: { maxRounds: MAX_ROUNDS },
    },
  );
  const answerInTurn = oneAtATime(answer);
  const ask = async ({ params }: ElicitRequest): Promise<ElicitResult> => {
    if (params.mode === 'url') throw new Error('This client shows forms only, no pages.');
    return answerInTurn({ message: params.message, schema: params.requestedSchema });
  };
  client.setRequestHandler('elicitation/create', ask);
  const tapped = tapFetch(onRound);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      ...(token !== undefined && {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
      fetch: tasks ? playTasks(tapped, ask) : tapped,
    }),
  );
  return client;
}

/** The client asks the questions of one round together; a person answers one after the other. */
function oneAtATime(answer: Answerer): Answerer {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const next = last.then(() => answer(question));
    last = next.catch(() => undefined);
    return next;
  };
}
