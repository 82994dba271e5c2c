import { McpConversationGuard, type RoundClaim } from './mcp-conversation.guard.js';

interface PlayedRound {
  readonly digest: string;
  /** Epoch milliseconds. */
  forgetAt: number;
  result?: { readonly text: string; readonly forgetAt: number };
}

/** How often what has expired is looked for, in milliseconds. */
const SWEEP_MS = 10_000;

/**
 * The default: remembers rounds in the memory of this process, until their tokens have expired.
 *
 * 1. A claim is made synchronously, so that of two in one process one gets it.
 * 2. A result may be forgotten before its claim, never the other way round.
 */
export class InProcessConversationGuard extends McpConversationGuard {
  private readonly rounds = new Map<string, PlayedRound>();
  private sweptAt = 0;

  constructor(
    /** Epoch milliseconds. */
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  /** How many rounds are remembered. */
  get size(): number {
    return this.rounds.size;
  }

  override claim(key: string, digest: string, ttlMs: number): Promise<RoundClaim> {
    return Promise.resolve(this.claimNow(key, digest, ttlMs));
  }

  override record(key: string, text: string, ttlMs: number): Promise<void> {
    const played = this.rounds.get(key);
    if (played !== undefined) {
      const forgetAt = this.now() + ttlMs;
      played.result = { text, forgetAt };
      played.forgetAt = Math.max(played.forgetAt, forgetAt);
    }
    return Promise.resolve();
  }

  private claimNow(key: string, digest: string, ttlMs: number): RoundClaim {
    const now = this.now();
    this.sweep(now);
    const played = this.rounds.get(key);
    if (played === undefined || played.forgetAt <= now) {
      this.rounds.set(key, { digest, forgetAt: now + ttlMs });
      return { type: 'claimed' };
    }
    const { result } = played;
    return {
      type: 'consumed',
      digest: played.digest,
      ...(result !== undefined && result.forgetAt > now && { result: result.text }),
    };
  }

  private sweep(now: number): void {
    if (now - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = now;
    for (const [key, { forgetAt }] of this.rounds) {
      if (forgetAt <= now) this.rounds.delete(key);
    }
  }
}
