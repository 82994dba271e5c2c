import { randomUUID } from 'node:crypto';
import { RequestStateRejectedException, StateTooLargeException } from '../exceptions/index.js';
import type { InputRequests, InputRequiredResult, Suspension } from '../protocol/index.js';
import type { Conversation } from './conversation.js';
import { offerAnswers } from './input-responses.js';
import { Ledger } from './ledger.js';
import type { McpConversationGuard } from './mcp-conversation.guard.js';
import { type ClaimedRound, claimRound, type RepeatedRound } from './played-once.js';
import type { CallOutcome, ReplayCarrier } from './replay-carrier.js';
import type { RequestStateCodec } from './request-state.codec.js';
import type { Carriage, ReplayCall, RoundHandler, RoundPlayer } from './round-player.js';
import { checkAge, checkBinding } from './state-checks.js';

/**
 * Carries conversations over the wire: the ledger comes in with `requestState` and leaves with it.
 *
 * 1. A handler never runs on state that did not authenticate, has expired, or belongs to another
 *    principal, method, target or arguments.
 * 2. Checks come in one order: seal, age, rounds, principal, method, target, arguments, answers, claim.
 * 3. Nothing is kept, but that a round was played where the handler says `once`: any instance that holds
 *    the key can play the next round.
 * 4. A conversation that starts again keeps its age and its rounds.
 * 5. An interceptor may play a call several times: that is one round, and each attempt begins with what
 *    the one before has recorded.
 * 6. A call that has left its request seals nothing: whoever has taken it on keeps its ledger. What it
 *    asked while it was about to leave is sealed when it has come back.
 */
export class MrtrEngine implements ReplayCarrier {
  constructor(
    private readonly player: RoundPlayer,
    private readonly codec: RequestStateCodec,
    private readonly guard: McpConversationGuard,
  ) {}

  /** @throws RequestStateRejectedException when the round must not be played */
  async play<T>(call: ReplayCall, handler: RoundHandler<T>): Promise<CallOutcome<T>> {
    const begun = this.begin(call);
    const isClaimed = call.replay.once === true && call.requestState !== undefined;
    const claim = isClaimed ? await this.claim(call, begun) : undefined;
    if (claim !== undefined && 'repeated' in claim) {
      this.player.repeated(call, begun);
      return { type: 'repeated', answer: claim.repeated };
    }
    const conversation = claim === undefined ? begun : { ...begun, claim };
    const { requestState: token } = call;
    const outcome = await this.player.play(
      call,
      conversation,
      typeof token === 'string' ? token.length : 0,
      handler,
      this.carriage(call),
    );
    if (outcome.type !== 'suspended') return outcome;
    const { carried } = outcome;
    if (isSealed(carried)) await claim?.answer(() => carried);
    return { type: 'suspended', result: carried };
  }

  /** The questions of a call as they are sent, though it was about to leave when it asked them. */
  sealed(call: ReplayCall, suspension: Suspension): InputRequiredResult {
    if (isSealed(suspension)) return suspension;
    const conversation = call.attempt as Conversation;
    return inputRequired(suspension.inputRequests, this.seal(call, conversation));
  }

  private carriage(call: ReplayCall): Carriage<Suspension> {
    const { departure } = call;
    return {
      begun: (conversation) => {
        call.attempt = conversation;
        departure?.begun(conversation);
      },
      save: departure && ((entries) => departure.save(entries)),
      suspend: (conversation, inputRequests) => {
        if (departure?.left === true) {
          return { carried: { resultType: 'input_required', inputRequests }, stateBytes: 0 };
        }
        const requestState = this.seal(call, conversation);
        return {
          carried: inputRequired(inputRequests, requestState),
          stateBytes: requestState.length,
        };
      },
    };
  }

  /** @throws RequestStateRejectedException `state_consumed`, and whatever the guard throws */
  private async claim(
    call: ReplayCall,
    conversation: Conversation,
  ): Promise<ClaimedRound | RepeatedRound> {
    if (conversation.claim !== undefined) return conversation.claim;
    const { ttlMs, resultTtlMs } = this.player.limitsOf(call);
    try {
      return await claimRound(this.guard, conversation, call.inputResponses, {
        ttlMs,
        resultTtlMs,
      });
    } catch (error) {
      if (error instanceof RequestStateRejectedException) {
        this.player.rejected(call, error.reason, conversation);
      }
      throw error;
    }
  }

  /** The conversation an attempt is played with; what comes of an attempt that goes on stays its own. */
  private begin(call: ReplayCall): Conversation {
    const before = call.attempt;
    return before === undefined
      ? this.open(call)
      : { ...before, ledger: new Ledger(before.ledger.entries) };
  }

  private open(call: ReplayCall): Conversation {
    try {
      const { conversationId, startedAt, round, ledger } = this.opened(call);
      const hasState = call.requestState !== undefined;
      const { answers } = this.player.limits;
      const unclaimed = offerAnswers(ledger, call.inputResponses, hasState, answers);
      return { conversationId, startedAt, round, ledger, unclaimed };
    } catch (error) {
      if (error instanceof RequestStateRejectedException) this.player.rejected(call, error.reason);
      throw error;
    }
  }

  private opened(call: ReplayCall): Omit<Conversation, 'unclaimed'> {
    const token = call.requestState;
    const { limits } = this.player;
    const now = this.player.now();
    if (token === undefined) {
      return { conversationId: randomUUID(), startedAt: now, round: 1, ledger: new Ledger() };
    }
    if (typeof token !== 'string' || token.length > limits.maxStateBytes) {
      throw new RequestStateRejectedException(
        'state_malformed',
        `requestState is not a string of at most ${limits.maxStateBytes} characters. ` +
          'Echo it exactly as it came, or start the call anew without it.',
      );
    }
    const state = this.codec.open(token);
    checkAge(state, this.player.limitsOf(call), now);
    checkBinding(call, state);
    const { conversationId, startedAt, round, entries } = state;
    return { conversationId, startedAt, round: round + 1, ledger: new Ledger(entries) };
  }

  private seal(
    call: ReplayCall,
    { conversationId, round, startedAt, ledger }: Conversation,
  ): string {
    const requestState = this.codec.seal({
      conversationId,
      round,
      startedAt,
      issuedAt: this.player.now(),
      principal: call.principal,
      method: call.method,
      target: call.target,
      argumentsDigest: call.argumentsDigest(),
      entries: ledger.entries,
    });
    const { maxStateBytes } = this.player.limits;
    if (requestState.length <= maxStateBytes) return requestState;
    throw new StateTooLargeException(
      call.handlerName,
      requestState.length,
      maxStateBytes,
      heaviest(ledger),
    );
  }
}

/** Whether a ledger goes along with the questions: they can be sent. */
export function isSealed(suspension: Suspension): suspension is InputRequiredResult {
  return 'requestState' in suspension;
}

function inputRequired(inputRequests: InputRequests, requestState: string): InputRequiredResult {
  return { resultType: 'input_required', inputRequests, requestState };
}

function heaviest(ledger: Ledger): { key: string; bytes: number } {
  return ledger.entries
    .map((entry) => ({ key: entry.key, bytes: Buffer.byteLength(JSON.stringify(entry)) }))
    .reduce((most, entry) => (entry.bytes > most.bytes ? entry : most));
}
