import type { McpTestClient } from './mcp-test.client.js';

/**
 * A client whose calls are rehearsed: each round is played again from the top after every answer and
 * every step, as if each of them were the last thing before a question.
 *
 * A handler that keeps the contract gives the same results as with any other client, and has done
 * everything as often as there; one that does something outside of a step that should be in one does it
 * over and over, for the test's own assertions to find. A handler that asks something else fails with
 * `ledger_mismatch`, and one that leaves out what it did before with `DivergedReplayException` (code
 * -32603, reason `replay_diverged`).
 */
export function replayEverywhere(client: McpTestClient): McpTestClient {
  return client.with({ rehearse: true });
}
