/** The promised API of @dacapo/testing. Whatever is not named here may change at any time. */
export { accept, type Answer, type Answers, cancel, decline } from './answers.js';
export type { AskedQuestion } from './asked-question.js';
export { BrokenConversationException } from './exceptions/broken-conversation.exception.js';
export { CallBecameTaskException } from './exceptions/call-became-task.exception.js';
export { McpCallFailedException } from './exceptions/mcp-call-failed.exception.js';
export { UnansweredQuestionException } from './exceptions/unanswered-question.exception.js';
export { UnusedAnswersException } from './exceptions/unused-answers.exception.js';
export { FakeClock } from './fake-clock.js';
export { readGoldenLedgers, writeGoldenLedger } from './golden-files.js';
export {
  type GoldenLedger,
  type GoldenReplayOptions,
  type GoldenRound,
  recordGoldenLedger,
  replayGoldenLedger,
} from './golden-ledger.js';
export {
  McpTestClient,
  type McpTestClientOptions,
  type TestCallOptions,
  type TypedTool,
} from './mcp-test.client.js';
export { replayEverywhere } from './replay-everywhere.js';
export type { TestRequestOptions } from './test-connection.js';
export { type TestCall, TestConversation } from './test-conversation.js';
export { TestSubscription } from './test-subscription.js';
export { ToolCall } from './tool-call.js';
