import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { McpArgs, McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { Gate, ReplaceableServer } from '../support/replaceable-server.js';
import { startServer } from '../support/test-server.js';
import { stateOf, textOf, type WireResponse } from '../support/wire.js';

const CLIENTS = 16;
/** There are at least so many conversations, and as many as it takes to outlast the deployments. */
const CONVERSATIONS = 200;
/** Reached only if the deployments do not come to an end. */
const TOO_MANY = 10_000;

class Stay {
  @IsInt()
  guest!: number;
}

/** What all instances share, as they would a database: the guest of each room. */
class Rooms {
  readonly guests: number[] = [];

  book(guest: number): number {
    return this.guests.push(guest) - 1;
  }
}

@Injectable()
class Hotel {
  constructor(
    private readonly rooms: Rooms,
    private readonly gate: Gate,
  ) {}

  @McpTool({ description: 'Books a room' })
  async book(@McpArgs() { guest }: Stay, @McpContext() ctx: McpToolContext): Promise<string> {
    const { name } = await ctx.ask('Your name?', (form) => form.string('name'));
    const [room, { nights }] = await Promise.all([
      ctx.step('book', async () => {
        await this.gate.pass();
        return this.rooms.book(guest);
      }),
      ctx.ask('How many nights?', (form) => form.integer('nights')),
    ]);
    return `${name} has room ${room} for ${nights} nights`;
  }
}

/** Guests who book one after another, each round at any of the servers. */
class Load {
  readonly results = new Map<number, string | undefined>();
  /** What clients got instead of what they expected. */
  readonly lost: string[] = [];
  /** How many have come. */
  guests = 0;
  private readonly underWay = new Set<Promise<void>>();
  private goesOn = true;

  constructor(private readonly servers: readonly ReplaceableServer[]) {}

  /** For as long as the work takes. */
  async during(work: () => Promise<void>): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, () => this.client());
    try {
      await work();
    } finally {
      this.goesOn = false;
      await Promise.all(clients);
    }
  }

  /** Resolves when the conversations that are under way have ended, each with all of its rounds. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async client(): Promise<void> {
    while (this.guests < CONVERSATIONS || (this.goesOn && this.guests < TOO_MANY)) {
      const conversation = this.converse(this.guests++);
      this.underWay.add(conversation);
      await conversation;
      this.underWay.delete(conversation);
    }
  }

  private async converse(guest: number): Promise<void> {
    try {
      const opened = await this.play(guest, 1);
      const named = await this.play(guest, 2, opened, { name: nameOf(guest) });
      const booked = await this.play(guest, 3, named, { nights: guest });
      this.results.set(guest, textOf(booked));
    } catch (error) {
      this.lost.push((error as Error).message);
    }
  }

  private play(
    guest: number,
    round: number,
    before?: WireResponse,
    content?: object,
  ): Promise<WireResponse> {
    return this.serverOf(guest, round).callTool(
      'book',
      { guest },
      before && {
        requestState: stateOf(before),
        inputResponses: { [`elicit-${round - 1}`]: { action: 'accept', content } },
      },
    );
  }

  /** Drawn, and the same in every run. */
  private serverOf(guest: number, round: number): ReplaceableServer {
    const [draw = 0] = createHash('sha256').update(`${guest} ${round}`).digest();
    return this.servers[draw % this.servers.length] as ReplaceableServer;
  }
}

const nameOf = (guest: number): string => `Guest ${guest}`;

const secret = (): string => randomBytes(32).toString('base64');

describe('Keys that change while two servers are called', () => {
  const [old, next] = [secret(), secret()];
  let rooms: Rooms;
  let servers: ReplaceableServer[];
  let load: Load;

  beforeEach(async () => {
    rooms = new Rooms();
    servers = adapters.map(() => new ReplaceableServer());
    load = new Load(servers);
    await deploy([old]);
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });

  /** One server after another. */
  async function deploy(secrets: readonly string[]): Promise<void> {
    for (const [index, [, adapter]] of adapters.entries()) {
      await servers[index]?.deploy((gate) =>
        startServer({
          adapter,
          providers: [
            Hotel,
            { provide: Rooms, useValue: rooms },
            { provide: Gate, useValue: gate },
          ],
          mcp: { replay: { secret: secrets } },
        }),
      );
    }
  }

  /** What each guest who was not lost must have been told. */
  function expected(): Map<number, string> {
    return new Map(
      [...load.results.keys()].map((guest) => [
        guest,
        `${nameOf(guest)} has room ${rooms.guests.indexOf(guest)} for ${guest} nights`,
      ]),
    );
  }

  it('lose no conversation, deployed as the guide says', async () => {
    await load.during(async () => {
      await deploy([old, next]);
      await deploy([next, old]);
      // Where clients take their time, `replay.maxAgeMs` sees to it.
      await load.settled();
      await deploy([next]);
      expect(load.guests).toBeLessThan(TOO_MANY);
    });
    expect(load.lost).toEqual([]);
    expect(load.results).toEqual(expected());
    expect([...rooms.guests].sort(ascending)).toEqual([...Array(load.guests).keys()]);
  });

  it('lose conversations when a key is dropped while its tokens are alive, and say why', async () => {
    await load.during(async () => {
      await deploy([next]);
    });
    expect(load.lost).not.toEqual([]);
    expect(load.lost.filter((error) => !error.includes('"reason":"state_tampered"'))).toEqual([]);
    // Nobody got a room twice all the same.
    expect(new Set(rooms.guests).size).toBe(rooms.guests.length);
    expect(load.results).toEqual(expected());
  });
});

const ascending = (a: number, b: number): number => a - b;
