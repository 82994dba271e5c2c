/** What became of a claim. */
export type RoundClaim =
  /** The caller has the round, and nobody else gets it. */
  | { readonly type: 'claimed' }
  /**
   * Somebody has had it.
   * @property digest what they gave for their answers
   * @property result what was recorded of it, while it is kept
   */
  | { readonly type: 'consumed'; readonly digest: string; readonly result?: string };

/**
 * Remembers which rounds have been played, for handlers that are played at most once (`once: true`). The
 * one there is by default remembers within its process; several instances need one that they share:
 * provide it with `McpModule.forRoot({ conversationGuard })`.
 *
 * What a guard throws refuses the round: nothing is played that may have been played before.
 */
export abstract class McpConversationGuard {
  /**
   * Claims a round. Atomic: of several that claim one key, on whatever instance, one gets it.
   *
   * @param key of the round, unlike that of any other
   * @param digest of the answers it is played with
   * @param ttlMs how long the claim must be remembered at least, in milliseconds
   */
  abstract claim(key: string, digest: string, ttlMs: number): Promise<RoundClaim>;

  /**
   * Records what a claimed round was answered with.
   *
   * @param result JSON, to be returned as it is
   * @param ttlMs how long it is of use, in milliseconds
   */
  abstract record(key: string, result: string, ttlMs: number): Promise<void>;
}
