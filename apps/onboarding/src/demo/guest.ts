import type { JsonValue } from '@dacapo/mcp';
import type { Client } from '@modelcontextprotocol/client';
import { CallFailedError } from './call-failed.error.js';
import type { Caller } from './callers.js';
import { listOffers } from './client/list-offers.js';
import { type Answerer, openSession } from './client/mcp-session.js';
import type { Offer } from './client/offer.js';
import { takeOffer, type Taken } from './client/take-offer.js';
import type { DemoServer } from './demo-server.js';
import type { Screen } from './terminal/screen.js';
import type { Round } from './wire/round.js';
import { roundWords } from './wire/round-words.js';

/** A result, and the rounds it took. */
export interface PlayedCall extends Taken {
  readonly rounds: readonly Round[];
}

/** Who comes where, and how it answers. */
export interface Arrival {
  readonly server: DemoServer;
  readonly caller: Caller;
  /** Whether its calls may become tasks; by default they do not. */
  readonly tasks?: boolean;
  readonly screen: Screen;
  readonly answer: Answerer;
}

/** A caller with a connection, whose every round is shown on the screen. */
export class Guest {
  private constructor(
    readonly caller: Caller,
    private readonly client: Client,
    /** The rounds of the call that is played. */
    private readonly rounds: Round[],
  ) {}

  static async arrive({ server, caller, tasks = false, screen, answer }: Arrival): Promise<Guest> {
    const rounds: Round[] = [];
    const client = await openSession({
      url: server.url,
      ...(caller.subject !== null && { token: await server.tokenFor(caller.subject) }),
      tasks,
      answer,
      onRound: (round) => {
        rounds.push(round);
        for (const line of roundWords(round)) screen.print(`  ${screen.wire(line)}`);
      },
    });
    return new Guest(caller, client, rounds);
  }

  offers(): Promise<Offer[]> {
    return listOffers(this.client);
  }

  /**
   * Calls, and answers questions on the way.
   * @throws CallFailedError with the server's own words
   */
  async take(
    offer: Pick<Offer, 'kind' | 'name'>,
    args: Readonly<Record<string, JsonValue>>,
    signal?: AbortSignal,
  ): Promise<PlayedCall> {
    this.rounds.length = 0;
    try {
      const taken = await takeOffer(this.client, offer, args, signal);
      return { ...taken, rounds: [...this.rounds] };
    } catch (error) {
      throw this.explain(error);
    }
  }

  leave(): Promise<void> {
    return this.client.close();
  }

  /** The client hides the words of some refusals; the last round has them. */
  private explain(error: unknown): CallFailedError {
    const outcome = this.rounds.at(-1)?.outcome;
    return outcome?.type === 'error'
      ? new CallFailedError(outcome.message, outcome.status, error)
      : new CallFailedError(
          error instanceof Error ? error.message : String(error),
          undefined,
          error,
        );
  }
}
