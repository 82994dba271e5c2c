import { deepStrictEqual } from 'node:assert/strict';
import type { RequestState, Result } from '@dacapo/mcp';
import type { Answer, Answers } from './answers.js';
import { AnswerScript } from './answer-script.js';
import { BrokenConversationException } from './exceptions/broken-conversation.exception.js';
import type { McpTestClient } from './mcp-test.client.js';
import { replayEverywhere } from './replay-everywhere.js';
import type { TestCall } from './test-conversation.js';

/** A round of a recorded conversation: the state it went out with, and what it was answered. */
export interface GoldenRound {
  readonly state: RequestState;
  readonly answers: { readonly [key: string]: Answer };
}

/**
 * A conversation as a release has held it, for later releases to go on from. It is JSON: keep it as a
 * file of the tests, never change it, and delete it when no conversation of that release can be under way
 * any more. What was answered in it is readable, so let it be made up.
 */
export interface GoldenLedger extends TestCall {
  readonly rounds: readonly GoldenRound[];
  readonly result: Result;
}

/** How a recorded conversation is gone on with. */
export interface GoldenReplayOptions {
  /** Answers what the release that recorded has not asked. */
  readonly answers?: Answers;
  /** Compares the results, and throws; by default they must be equal. */
  readonly compare?: (result: Result, recorded: Result) => void;
}

/** Holds a conversation to its end and keeps every round of it. @throws like `McpTestClient.callTool` */
export async function recordGoldenLedger(
  client: McpTestClient,
  call: TestCall,
  answers: Answers,
): Promise<GoldenLedger> {
  const script = new AnswerScript(answers);
  const conversation = await client.start(call);
  const rounds: GoldenRound[] = [];
  while (!conversation.ended) {
    const given = script.answer(conversation.questions);
    rounds.push({ state: client.openState(conversation.requestState), answers: given });
    await conversation.answer(given);
  }
  script.end(conversation.result);
  return { ...call, rounds, result: conversation.result };
}

/**
 * Goes on with a recorded conversation from each of its rounds, as if a deployment had come in between:
 * the state is that of the earlier release, the code is today's. Calls are rehearsed, so that a record of
 * which today's code knows nothing breaks the conversation too.
 * @throws BrokenConversationException when one of them cannot go on, or ends otherwise
 */
export async function replayGoldenLedger(
  client: McpTestClient,
  { method, params, rounds, result }: GoldenLedger,
  { answers = {}, compare = requireEqual }: GoldenReplayOptions = {},
): Promise<void> {
  const strict = replayEverywhere(client);
  for (const [index, { state, answers: given }] of rounds.entries()) {
    const script = laterAnswers(rounds.slice(index + 1), answers);
    try {
      const conversation = strict.resume({ method, params }, state);
      await conversation.answer(given);
      while (!conversation.ended) {
        await conversation.answer(script.answer(conversation.questions));
      }
      compare(conversation.result, result);
    } catch (error) {
      throw new BrokenConversationException(index + 1, rounds.length, error);
    }
  }
}

/** Answers by key as they were recorded, and what was not asked then as the test says. */
function laterAnswers(rounds: readonly GoldenRound[], answers: Answers): AnswerScript {
  const recorded = new Map<string, Answer[]>();
  for (const [key, answer] of rounds.flatMap((round) => Object.entries(round.answers))) {
    recorded.set(key, [...(recorded.get(key) ?? []), answer]);
  }
  const added = new AnswerScript(answers);
  return new AnswerScript(
    (question) => recorded.get(question.key)?.shift() ?? added.answerTo(question),
  );
}

function requireEqual(result: Result, recorded: Result): void {
  deepStrictEqual(result, recorded);
}
