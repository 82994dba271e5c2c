import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { RequestStateRejectedException } from '../exceptions/index.js';
import type { InputRequiredResult, JsonValue } from '../protocol/index.js';
import type { Ask } from './ask.js';
import { type AnswerPolicy, offerAnswers } from './input-responses.js';
import { KeyRing } from './key-ring.js';
import { type AskEntry, Ledger, type LedgerEntry } from './ledger.js';
import type { MrtrEngine } from './mrtr.engine.js';
import type { CallOutcome } from './replay-carrier.js';
import type { ReplayCall, Round } from './round-player.js';
import { RequestStateCodec } from './request-state.codec.js';
import { plainAsk, replayCall, wireEngine } from './round.fixture.js';
import { isSuspension } from './suspension.js';

/** A failing run is repeated by its seed and path, which fast-check prints. */
const RUNS = { numRuns: 300 };

/** What a busy machine that measures coverage may take for a hundred thousand of something. */
const PATIENCE_MS = 300_000;

/** What a random handler does. Names are unique, so that races change no key. */
type Program =
  | { readonly op: 'ask'; readonly name: string }
  | { readonly op: 'step'; readonly name: string; readonly slow: boolean }
  | { readonly op: 'now' }
  | { readonly op: 'wait' }
  | { readonly op: 'throw' }
  | { readonly op: 'all' | 'inOrder'; readonly parts: readonly Program[] }
  | { readonly op: 'catch'; readonly part: Program; readonly otherwise: Program }
  | { readonly op: 'ifYes'; readonly name: string; readonly then: Program };

type Shape = Exclude<Program, { name: string }>['op'] | 'ask' | 'step' | 'ifYes';

/** What a handler is made of, for the engine and for a plain run alike. */
interface World {
  ask(name: string): Promise<string>;
  step(name: string, slow: boolean): Promise<string>;
  now(): string;
  wait(): Promise<void>;
}

class Failure extends Error {}

async function run(program: Program, world: World): Promise<string> {
  switch (program.op) {
    case 'ask':
      return world.ask(program.name);
    case 'step':
      return world.step(program.name, program.slow);
    case 'now':
      return world.now();
    case 'wait':
      await world.wait();
      return '-';
    case 'throw':
      throw new Failure('on purpose');
    case 'all':
      return `[${(await allOf(program.parts, world)).join(',')}]`;
    case 'inOrder': {
      const values: string[] = [];
      for (const part of program.parts) values.push(await run(part, world));
      return `(${values.join(',')})`;
    }
    case 'catch':
      try {
        return await run(program.part, world);
      } catch (error) {
        // A broad catch of an author who knows: anything but the signal.
        if (isSuspension(error)) throw error;
        return `caught ${await run(program.otherwise, world)}`;
      }
    case 'ifYes':
      return (await world.ask(program.name)) === 'yes' ? run(program.then, world) : 'no';
  }
}

/**
 * Branches that are all awaited, whatever becomes of one. With `Promise.all()` alone, how far the others
 * come when one throws is a matter of time, in a plain run too.
 */
async function allOf(parts: readonly Program[], world: World): Promise<string[]> {
  const ends = await Promise.allSettled(parts.map((part) => run(part, world)));
  const failed = ends
    .filter((end) => end.status === 'rejected')
    .map(({ reason }) => reason as Error);
  const real = failed.find((error) => !isSuspension(error));
  if (failed.length > 0) throw failed.find(isSuspension) ?? real;
  return ends.map((end) => (end as PromiseFulfilledResult<string>).value);
}

const leaf = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Shape>('ask') },
  { weight: 4, arbitrary: fc.constant<Shape>('step') },
  fc.constant<Shape>('now'),
  fc.constant<Shape>('wait'),
  fc.constant<Shape>('throw'),
);

/** A program whose questions and steps are named by their place. */
const programs: fc.Arbitrary<Program> = fc
  .letrec<{ tree: unknown; list: unknown[] }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(fc.constantFrom<Shape>('all', 'inOrder'), tie('list')),
      fc.tuple(fc.constant<Shape>('catch'), fc.tuple(tie('tree'), tie('tree'))),
      fc.tuple(fc.constant<Shape>('ifYes'), fc.tuple(tie('tree'))),
    ),
    list: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
  }))
  .tree.chain((tree) =>
    fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }).map((slow) => named(tree, slow)),
  );

function named(tree: unknown, slow: readonly boolean[]): Program {
  let count = 0;
  const name = (node: unknown): Program => {
    const place = `n${(count += 1)}`;
    const [op, parts] = (Array.isArray(node) ? node : [node, []]) as [Shape, unknown[]];
    switch (op) {
      case 'ask':
        return { op, name: place };
      case 'step':
        return { op, name: place, slow: slow[count % slow.length] === true };
      case 'all':
      case 'inOrder':
        return { op, parts: parts.map(name) };
      case 'catch':
        return { op, part: name(parts[0]), otherwise: name(parts[1]) };
      case 'ifYes':
        return { op, name: place, then: name(parts[0]) };
      default:
        return { op };
    }
  };
  return name(tree);
}

const answerTo = (name: string): string => (Number(name.slice(1)) % 3 === 0 ? 'no' : 'yes');

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type End = { value: string } | { error: string };

const endOf = (playing: Promise<string>): Promise<End> =>
  playing.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof Failure ? error.message : String(error) }),
  );

/** The program without any engine: every answer is there at once, every step is done. */
function straight(program: Program): Promise<End> {
  return endOf(
    run(program, {
      ask: (name) => Promise.resolve(answerTo(name)),
      step: (name) => Promise.resolve(`did ${name}`),
      now: () => 'now',
      wait: turn,
    }),
  );
}

const question = (name: string) => (): Ask<string> => ({
  ...plainAsk(name),
  key: name,
  revive: (outcome) => (outcome as { content: { answer: string } }).content.answer,
});

const KEYS = KeyRing.fromSecret(randomBytes(32).toString('base64'));

/** Two instances that share nothing but the key. */
const INSTANCES = [1, 2].map(() =>
  wireEngine(new RequestStateCodec(KEYS, 'property'), {
    maxRounds: 200,
    maxStateBytes: 1_000_000,
    ttlMs: 60_000,
    maxAgeMs: 60_000,
  }),
);

/** How a client goes about a conversation. */
interface Course {
  /** Which of the open questions it answers, and on which instance; taken in turn. */
  readonly choices: readonly number[];
  /** Whether every round is sent twice, and the second answer taken. */
  readonly twice: boolean;
}

class Client {
  readonly done: string[] = [];
  private turns = 0;

  constructor(
    private readonly program: Program,
    private readonly course: Course,
  ) {}

  async converse(): Promise<End> {
    let call: Partial<ReplayCall> = {};
    for (let rounds = 0; rounds < 150; rounds += 1) {
      if (this.course.twice) await this.play(call).catch(() => undefined);
      const end = await this.play(call).then(
        (outcome) => outcome,
        (error: unknown) => error as Error,
      );
      if (end instanceof Error) return { error: end.message };
      if (end.type === 'completed') return { value: end.value };
      if (end.type !== 'suspended') throw new Error(`not in this spec: ${end.type}`);
      const { inputRequests, requestState } = end.result as InputRequiredResult;
      call = { requestState, inputResponses: this.answers(Object.keys(inputRequests)) };
    }
    throw new Error('the conversation does not end');
  }

  /** At least one answer, so that it goes on. */
  private answers(open: readonly string[]): Record<string, JsonValue> {
    const answered = open.filter((_, index) => index === 0 || this.choice() % 2 === 0);
    return Object.fromEntries(
      answered.map((key) => [key, { action: 'accept', content: { answer: answerTo(key) } }]),
    );
  }

  private choice(): number {
    const { choices } = this.course;
    return choices[this.turns++ % choices.length] as number;
  }

  private play(rest: Partial<ReplayCall>): Promise<CallOutcome<string>> {
    const engine = INSTANCES[this.choice() % INSTANCES.length] as MrtrEngine;
    const call = replayCall(rest);
    return engine.play(call, (round) => run(this.program, this.world(round)));
  }

  private world({ execution }: Round): World {
    return {
      ask: (name) => execution.ask(question(name)),
      step: (name, slow) =>
        execution.step(name, async () => {
          if (slow) for (let count = 0; count < 3; count += 1) await turn();
          this.done.push(name);
          return `did ${name}`;
        }),
      now: () => (execution.draw('now()', (records) => records.now()) > 0 ? 'now' : 'never'),
      wait: turn,
    };
  }
}

const courses = (twice: boolean): fc.Arbitrary<Course> =>
  fc.record({
    choices: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
    twice: fc.constant(twice),
  });

describe('A random handler', () => {
  it('ends as a straight run of it does, whatever the rounds, and does each step once', async () => {
    await fc.assert(
      fc.asyncProperty(programs, courses(false), async (program, course) => {
        const client = new Client(program, course);
        expect(await client.converse()).toEqual(await straight(program));
        expect(client.done).toHaveLength(new Set(client.done).size);
      }),
      RUNS,
    );
  });

  it('ends alike when every round is sent twice', async () => {
    await fc.assert(
      fc.asyncProperty(programs, courses(true), async (program, course) => {
        expect(await new Client(program, course).converse()).toEqual(await straight(program));
      }),
      RUNS,
    );
  });
});

describe('Many conversations', () => {
  const SHOP: Program = {
    op: 'inOrder',
    parts: [
      { op: 'ask', name: 'n1' },
      { op: 'step', name: 'n2', slow: false },
      { op: 'now' },
      {
        op: 'all',
        parts: [
          { op: 'ask', name: 'n4' },
          { op: 'step', name: 'n5', slow: true },
        ],
      },
      { op: 'step', name: 'n7', slow: false },
    ],
  };
  const VALUE = '(yes,did n2,now,[yes,did n5],did n7)';

  it('go on at once without mixing', async () => {
    const clients = Array.from(
      { length: 1_000 },
      (_, index) => new Client(SHOP, { choices: [index, index >> 1, index >> 2], twice: false }),
    );
    const ends = await Promise.all(clients.map((client) => client.converse()));
    expect(new Set(ends.map((end) => JSON.stringify(end)))).toEqual(
      new Set([JSON.stringify({ value: VALUE })]),
    );
    for (const { done } of clients) expect([...done].sort()).toEqual(['n2', 'n5', 'n7']);
  });

  it(
    'leave nothing behind',
    async () => {
      const converse = async (count: number): Promise<void> => {
        for (let index = 0; index < count; index += 100) {
          // Together, so that they share the turns in which questions are gathered.
          const clients = Array.from(
            { length: 100 },
            (_, offset) => new Client(SHOP, { choices: [index + offset], twice: false }),
          );
          for (const end of await Promise.all(clients.map((client) => client.converse()))) {
            if (!('value' in end) || end.value !== VALUE) throw new Error(JSON.stringify(end));
          }
        }
      };
      await converse(1_000);
      const before = heapBytes();
      // Three rounds each.
      await converse(33_400);
      expect(heapBytes() - before).toBeLessThan(10 * 1024 * 1024);
    },
    PATIENCE_MS,
  );
});

/** What is held, once what nobody holds is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('Answers', () => {
  const entries: AskEntry[] = [
    { key: 'open', kind: 'elicit', fingerprint: 'f', label: 'l' },
    { key: 'model', kind: 'sample', fingerprint: 'f', label: 'l' },
    { key: 'folders', kind: 'roots', fingerprint: 'f', label: 'l' },
    {
      key: 'settled',
      kind: 'elicit',
      fingerprint: 'f',
      label: 'l',
      outcome: { action: 'decline' },
    },
  ];
  const charge: LedgerEntry = { key: 'step/charge', kind: 'step', outcome: { id: 5 } };
  const SETTLED = JSON.stringify([entries[3], charge]);
  const key = fc.constantFrom(
    'open',
    'model',
    'folders',
    'settled',
    '__proto__',
    'constructor',
    'x',
  );
  const answer = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.record(
      {
        action: fc.constantFrom('accept', 'decline', 'cancel', 'maybe'),
        content: fc.oneof(
          fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })),
          fc.jsonValue(),
        ),
        role: fc.constantFrom('user', 'assistant', 'system'),
        model: fc.oneof(fc.string(), fc.nat()),
        roots: fc.oneof(fc.array(fc.record({ uri: fc.webUrl() })), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  );
  const responses = fc.oneof(
    { weight: 8, arbitrary: fc.dictionary(key, answer, { maxKeys: 4 }) },
    fc.jsonValue(),
  );

  it(
    'are laid in the ledger as a whole, or refused by a reason, whatever comes',
    () => {
      fc.assert(
        fc.property(
          responses,
          fc.constantFrom<AnswerPolicy>('strict', 'lenient'),
          (sent, policy) => {
            const ledger = new Ledger([...entries, charge]);
            let offers: string[] = [];
            try {
              offerAnswers(ledger, sent, true, policy);
            } catch (error) {
              if (!(error instanceof RequestStateRejectedException)) throw error;
              offers = ledger.entries.filter((entry) => 'offer' in entry).map(({ key }) => key);
            }
            const settledAs = JSON.stringify([
              ledger.question('settled'),
              ledger.record('step/charge'),
            ]);
            // Plain comparisons: there are many.
            return (
              offers.length === 0 && settledAs === SETTLED && ledger.size === entries.length + 1
            );
          },
        ),
        { numRuns: 80_000 },
      );
    },
    PATIENCE_MS,
  );
});

describe('A token', () => {
  const codec = new RequestStateCodec(KEYS, 'fuzz');
  const token = codec.seal({
    conversationId: 'c',
    round: 1,
    startedAt: 1,
    issuedAt: 1,
    principal: 'ada',
    method: 'tools/call',
    target: 'pay',
    argumentsDigest: 'd',
    entries: [{ key: 'step/charge', kind: 'step', outcome: { id: 5 } }],
  });
  const refused = (text: string): boolean => {
    try {
      codec.open(text);
      return false;
    } catch (error) {
      if (error instanceof RequestStateRejectedException) return true;
      throw error;
    }
  };

  it(
    'opens only as it was sealed, whatever is done to it',
    () => {
      const bytes = Buffer.from(token, 'base64url');
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, mask) => {
          const forged = Buffer.from(bytes);
          forged[index] = (forged[index] as number) ^ mask;
          return refused(forged.toString('base64url'));
        }),
        { numRuns: 60_000 },
      );
      fc.assert(
        fc.property(
          fc.nat(token.length),
          fc.nat(token.length),
          fc.string({ unit: 'binary' }),
          (a, b, text) => {
            const forged = token.slice(0, a) + text + token.slice(b);
            return forged === token || refused(forged);
          },
        ),
        { numRuns: 60_000 },
      );
    },
    PATIENCE_MS,
  );

  it('carries whatever the ledger holds', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ stringUnit: 'binary' })), (outcomes) => {
        const entries = outcomes.map((outcome, index) => ({
          key: `step/s${index}`,
          kind: 'step' as const,
          outcome: outcome as JsonValue,
        }));
        const state = { ...codec.open(token), entries };
        expect(codec.open(codec.seal(state))).toEqual(JSON.parse(JSON.stringify(state)));
      }),
      { numRuns: 2_000 },
    );
  });
});
