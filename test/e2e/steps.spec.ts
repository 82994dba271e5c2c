import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  McpContext,
  McpElicitor,
  McpObserver,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
  type ReplayEvent,
} from '@dacapo/mcp';
import { type Observable, retry } from 'rxjs';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import {
  callTool,
  errorOf,
  resultOf,
  send,
  stateOf,
  textOf,
  type WireResponse,
} from '../support/wire.js';

/** What has been done in the world, in order. */
const done: string[] = [];
/** How often the bank refuses before it takes a payment. */
let refusals = 0;
/** What a deployment changes. */
let wording = 'Your name?';
/** Ends the slow step. */
let release: () => void;
/** Tells that the slow step has begun. */
let begin: () => void;
const events: ReplayEvent[] = [];

@Injectable()
class Events extends McpObserver {
  override observe(event: ReplayEvent): void {
    events.push(event);
  }
}

@Injectable()
class TriesAgain implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(retry(1));
  }
}

@Injectable()
class Shop {
  constructor(private readonly elicitor: McpElicitor) {}

  @McpTool({ description: 'Charges between two questions' })
  async checkout(@McpContext() ctx: McpToolContext): Promise<object> {
    const { amount } = await ctx.ask('How much?', (form) => form.integer('amount'));
    const payment = await ctx.step('charge', async ({ idempotencyKey }) => {
      done.push(`charged ${amount}`);
      return { id: done.length, at: new Date(0), idempotencyKey };
    });
    const sure = await ctx.confirm(`Send the receipt for ${payment.id}?`);
    if (sure) await ctx.step('mail', () => void done.push('mailed'));
    return { payment, sure, round: ctx.round };
  }

  @McpTool({ description: 'Works while it asks' })
  async both(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return Promise.all([
      ctx.ask('Which?', (form) => form.string('which')),
      ctx.step('slow', async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
          begin();
        });
        done.push('slow');
        return ctx.idempotencyKey.length;
      }),
    ]);
  }

  @McpTool({ description: 'Tries again' })
  async persistent(@McpContext() ctx: McpToolContext): Promise<string> {
    return ctx.step(
      'pay',
      ({ attempt }) => {
        done.push(`attempt ${attempt}`);
        if (refusals-- > 0) throw new Error('The bank is closed');
        return `paid at attempt ${attempt}`;
      },
      { retries: 2, backoffMs: 0 },
    );
  }

  @McpTool({ description: 'Fails behind a question' })
  async fails(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    return ctx.step('pay', () => {
      done.push('tried');
      if (refusals-- > 0) throw new Error('The bank is closed');
      return 'paid';
    });
  }

  @McpTool({ description: 'Fails behind a step' })
  @UseInterceptors(TriesAgain)
  async receipt(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('pay', () => void done.push('paid'));
    if (refusals-- > 0) throw new Error('The printer is out of paper');
    return 'printed';
  }

  @McpTool({ description: 'Draws' })
  async draws(@McpContext() ctx: McpToolContext): Promise<object> {
    const drawn = [ctx.now(), ctx.random(), ctx.uuid(), ctx.version('draws', 1, 2)];
    done.push(JSON.stringify(drawn));
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    return { drawn };
  }

  @McpTool({ description: 'Changes under way', onMismatch: 'restart' })
  async changes(@McpContext() ctx: McpToolContext): Promise<object> {
    const { name } = await ctx.ask(wording, (form) => form.string('name'));
    return { name, round: ctx.round, conversation: ctx.conversationId };
  }

  @McpTool({ description: 'Is translated under way' })
  async translated(@McpContext() ctx: McpToolContext): Promise<object> {
    return ctx.ask(wording, (form) => form.string('name', { title: wording }), { key: 'name' });
  }

  @McpTool({ description: 'Through a service' })
  async service(): Promise<object> {
    const { name } = await this.elicitor.ask('Who?', (form) => form.string('name'));
    return { name, sure: await this.elicitor.confirm(`${name}, really?`) };
  }
}

@Injectable()
class Polite {
  @McpTool({ description: 'Ends with its own words' })
  async order(@McpContext() ctx: McpToolContext): Promise<string> {
    const { dish } = await ctx.ask('What may I bring?', (form) => form.string('dish'), {
      otherwise: 'Nothing was ordered.',
    });
    return `One ${dish}.`;
  }

  @McpTool({ description: 'Ends with the words there are' })
  async plain(@McpContext() ctx: McpToolContext): Promise<object> {
    return ctx.ask('What may I bring?', (form) => form.string('dish'));
  }

  @McpTool({ description: 'Promises structure', output: { type: 'object', required: ['dish'] } })
  async structured(@McpContext() ctx: McpToolContext): Promise<object> {
    return ctx.ask('What may I bring?', (form) => form.string('dish'));
  }

  @McpTool({ description: 'Asks again at most once' })
  async picky(@McpContext() ctx: McpToolContext): Promise<string> {
    try {
      const { age } = await ctx.ask('How old?', (form) => form.integer('age', { minimum: 18 }));
      return `${age}`;
    } catch {
      return 'swallowed';
    }
  }

  @McpPrompt({ description: 'Ends with an error' })
  async recipe(@McpContext() ctx: McpPromptContext): Promise<string> {
    const { dish } = await ctx.ask('Which dish?', (form) => form.string('dish'));
    return dish;
  }

  @McpResource({ uri: 'menu://today' })
  async menu(@McpContext() ctx: McpResourceContext): Promise<string> {
    const { dish } = await ctx.ask('Which dish?', (form) => form.string('dish'), {
      otherwise: 'No menu without a dish.',
    });
    return dish;
  }
}

@Injectable()
class AskingGuard implements CanActivate {
  constructor(private readonly elicitor: McpElicitor) {}

  async canActivate(): Promise<boolean> {
    return this.elicitor.confirm('May you?');
  }
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

/** Each makes a mistake, and says what is wrong and how to mend it in the log. */
@Injectable()
class Mistakes {
  @McpTool({ description: 'x' })
  async asksInStep(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return ctx.step('outer', () => ctx.confirm('Within?'));
  }

  @McpTool({ description: 'x' })
  async nests(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return ctx.step('outer', () => ctx.step('inner', () => 1));
  }

  @McpTool({ description: 'x' })
  async bigInt(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return ctx.step('sum', () => ({ total: 5n }));
  }

  @McpTool({ description: 'x' })
  async cyclic(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return ctx.step('tree', () => cycle);
  }

  @McpTool({ description: 'x' })
  async handle(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return ctx.step('open', () => ({ rows: new Map([[1, 2]]) }));
  }

  @McpTool({ description: 'x' })
  async large(@McpContext() ctx: McpToolContext): Promise<unknown> {
    return ctx.step('rows', () => 'x'.repeat(17_000));
  }

  @McpTool({ description: 'x' })
  async forgetsQuestion(@McpContext() ctx: McpToolContext): Promise<string> {
    void ctx.confirm('Delete everything?');
    return 'deleted';
  }

  @McpTool({ description: 'x' })
  async forgetsStep(@McpContext() ctx: McpToolContext): Promise<string> {
    void ctx.step('audit', () => pause(1));
    return 'done';
  }

  @McpTool({ description: 'x' })
  async keyOutside(@McpContext() ctx: McpToolContext): Promise<string> {
    return ctx.idempotencyKey;
  }

  @McpTool({ description: 'x' })
  @UseGuards(AskingGuard)
  async guarded(): Promise<string> {
    return 'never';
  }
}

const yes = (content: object): object => ({ action: 'accept', content });

/** The next round of a call. */
function answer(
  server: TestServer,
  name: string,
  before: WireResponse,
  answers: Record<string, object>,
): Promise<WireResponse> {
  return callTool(server.url, name, {}, { requestState: stateOf(before), inputResponses: answers });
}

describe.each(adapters)('Steps and needed answers on %s', (_, adapter) => {
  let server: TestServer;
  let other: TestServer;

  beforeAll(async () => {
    const providers = [Shop, Polite, Mistakes, AskingGuard];
    const mcp = { observer: { useClass: Events }, replay: { maxAttempts: 2 } };
    other = await startServer({ adapter, providers, mcp });
    // Nest's log is that of the last application.
    server = await startServer({ adapter, providers, mcp });
  });
  afterAll(async () => {
    await server.close();
    await other.close();
  });
  beforeEach(() => {
    done.length = 0;
    events.length = 0;
    server.logs.length = 0;
    refusals = 0;
    wording = 'Your name?';
  });

  describe('a deployment', () => {
    const ada = yes({ name: 'Ada' });

    it('that changes a question starts the conversation again, where the handler says so', async () => {
      const first = await callTool(server.url, 'changes');
      wording = 'What are you called?';
      const second = await answer(other, 'changes', first, { 'elicit-1': ada });
      expect(resultOf(second).inputRequests?.['elicit-1']?.params.message).toBe(wording);
      const third = await answer(server, 'changes', second, { 'elicit-1': ada });
      expect(resultOf(third).structuredContent).toMatchObject({ name: 'Ada', round: 3 });
      expect(new Set(events.map((event) => event.conversationId)).size).toBe(1);
      expect(events.map(({ type }) => type)).toContain('round.mismatched');
    });

    it('may change the words of a question with a key', async () => {
      const first = await callTool(server.url, 'translated');
      wording = 'Wie heißen Sie?';
      const second = await answer(other, 'translated', first, { name: ada });
      expect(resultOf(second).structuredContent).toEqual({ name: 'Ada' });
    });
  });

  describe('a step', () => {
    it('between two questions is done once, on whichever instance', async () => {
      const first = await callTool(server.url, 'checkout');
      expect(done).toEqual([]);
      const second = await answer(other, 'checkout', first, { 'elicit-1': yes({ amount: 5 }) });
      expect(done).toEqual(['charged 5']);
      expect(resultOf(second).inputRequests?.['elicit-2']?.params.message).toBe(
        'Send the receipt for 1?',
      );
      const third = await answer(server, 'checkout', second, {
        'elicit-2': yes({ confirmed: true }),
      });
      expect(done).toEqual(['charged 5', 'mailed']);
      expect(resultOf(third).structuredContent).toEqual({
        payment: {
          id: 1,
          at: '1970-01-01T00:00:00.000Z',
          idempotencyKey: expect.stringMatching(/^[\w-]{43}$/) as string,
        },
        sure: true,
        round: 3,
      });
    });

    it('has one idempotency key, even when its round is played twice', async () => {
      const first = await callTool(server.url, 'checkout');
      const [one, two] = await Promise.all([
        answer(server, 'checkout', first, { 'elicit-1': yes({ amount: 5 }) }),
        answer(other, 'checkout', first, { 'elicit-1': yes({ amount: 5 }) }),
      ]);
      expect(done).toEqual(['charged 5', 'charged 5']);
      const keys = await Promise.all(
        [one, two].map(async (second) => {
          const end = await answer(server, 'checkout', second, {
            'elicit-2': { action: 'decline' },
          });
          const { payment, sure } = resultOf(end).structuredContent as {
            payment: { idempotencyKey: string };
            sure: boolean;
          };
          expect(sure).toBe(false);
          return payment.idempotencyKey;
        }),
      );
      expect(keys[0]).toBe(keys[1]);
      expect(done).toHaveLength(2);
    });

    it('that runs when its round suspends is awaited and recorded', async () => {
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const suspending = callTool(server.url, 'both');
      await begun;
      // By then the question has suspended the round.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      release();
      const first = await suspending;
      expect(done).toEqual(['slow']);
      const second = await answer(server, 'both', first, { 'elicit-1': yes({ which: 'a' }) });
      expect(resultOf(second).structuredContent).toEqual([{ which: 'a' }, 43]);
      expect(done).toEqual(['slow']);
    });

    it('is tried again as often as it may be', async () => {
      refusals = 2;
      expect(textOf(await callTool(server.url, 'persistent'))).toBe('paid at attempt 3');
      refusals = 3;
      expect(resultOf(await callTool(server.url, 'persistent')).isError).toBe(true);
      expect(done).toHaveLength(6);
    });

    it('that failed is tried again when the round is', async () => {
      refusals = 1;
      const first = await callTool(server.url, 'fails');
      const answers = { 'elicit-1': yes({ yes: true }) };
      expect(resultOf(await answer(server, 'fails', first, answers)).isError).toBe(true);
      expect(textOf(await answer(server, 'fails', first, answers))).toBe('paid');
      expect(done).toEqual(['tried', 'tried']);
    });

    it('is not done again when an interceptor tries again', async () => {
      refusals = 1;
      expect(textOf(await callTool(server.url, 'receipt'))).toBe('printed');
      expect(done).toEqual(['paid']);
    });

    it('draws what every round sees alike', async () => {
      const first = await callTool(server.url, 'draws');
      const second = await answer(other, 'draws', first, { 'elicit-1': yes({ yes: true }) });
      expect(done).toHaveLength(2);
      expect(done[1]).toBe(done[0]);
      const { drawn } = resultOf(second).structuredContent as { drawn: unknown[] };
      expect(JSON.stringify(drawn)).toBe(done[0]);
      expect(drawn[3]).toBe(2);
    });

    it('plays with the official client', async () => {
      const client = await connect(server.url, {
        answer: (message) =>
          message === 'How much?'
            ? { action: 'accept', content: { amount: 7 } }
            : { action: 'accept', content: { confirmed: true } },
      });
      const { structuredContent } = await client.callTool({ name: 'checkout', arguments: {} });
      expect(structuredContent).toMatchObject({ payment: { id: 1 }, sure: true, round: 3 });
      expect(done).toEqual(['charged 7', 'mailed']);
      await client.close();
    });
  });

  describe('a needed answer', () => {
    it.each([
      ['order', 'decline', 'Nothing was ordered.'],
      ['order', 'cancel', 'Nothing was ordered.'],
      ['plain', 'decline', 'The user declined: "What may I bring?".'],
      ['plain', 'cancel', 'The user cancelled: "What may I bring?".'],
    ])('that does not come ends %s politely: %s', async (name, action, text) => {
      const first = await callTool(server.url, name);
      const result = resultOf(await answer(server, name, first, { 'elicit-1': { action } }));
      expect(result.isError).toBeUndefined();
      expect(result.content).toEqual([{ type: 'text', text }]);
      expect(result.structuredContent).toBeUndefined();
    });

    it('that does not come fails a tool that has promised structure', async () => {
      const first = await callTool(server.url, 'structured');
      const second = await answer(server, 'structured', first, {
        'elicit-1': { action: 'cancel' },
      });
      expect(resultOf(second)).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'The user cancelled: "What may I bring?".' }],
      });
    });

    it.each([
      ['prompts/get', { name: 'recipe' }, 'The user declined: "Which dish?".'],
      ['resources/read', { uri: 'menu://today' }, 'No menu without a dish.'],
    ])('that does not come ends %s with an error', async (method, params, message) => {
      const first = await send(server.url, method, params);
      const second = await send(server.url, method, {
        ...params,
        requestState: stateOf(first),
        inputResponses: { 'elicit-1': { action: 'decline' } },
      });
      expect(second.status).toBe(422);
      expect(errorOf(second)).toEqual({ code: 422, message, data: { action: 'decline' } });
    });

    it('comes with its content', async () => {
      const first = await callTool(server.url, 'order');
      const second = await answer(server, 'order', first, { 'elicit-1': yes({ dish: 'soup' }) });
      expect(textOf(second)).toBe('One soup.');
    });

    it('is asked for through a service too', async () => {
      const first = await callTool(server.url, 'service');
      const second = await answer(server, 'service', first, { 'elicit-1': yes({ name: 'Ada' }) });
      expect(resultOf(second).inputRequests?.['elicit-2']?.params).toEqual({
        mode: 'form',
        message: 'Ada, really?',
        requestedSchema: {
          type: 'object',
          properties: { confirmed: { type: 'boolean', title: 'Yes' } },
          required: ['confirmed'],
        },
      });
      const third = await answer(server, 'service', second, {
        'elicit-2': yes({ confirmed: false }),
      });
      expect(resultOf(third).structuredContent).toEqual({ name: 'Ada', sure: false });
    });

    it('that does not fit is asked for as often as it may be, and then told to the model', async () => {
      const wrong = { 'elicit-1': yes({ age: 5 }) };
      const first = await callTool(server.url, 'picky');
      const second = await answer(server, 'picky', first, wrong);
      expect(resultOf(second).inputRequests?.['elicit-1']?.params.message).toMatch(
        /^How old\?\n\nPlease correct: /,
      );
      const third = await answer(other, 'picky', second, wrong);
      expect(resultOf(third)).toMatchObject({ isError: true });
      expect(textOf(third)).toMatch(/^The answer to "How old\?" did not fit 2 times, .+18/);
    });
  });

  describe('a mistake', () => {
    it.each<[string, RegExp]>([
      ['asksInStep', /"asksInStep" has a question within the step "outer"\. A step is one piece/],
      ['nests', /"nests" has the step "inner" within the step "outer"\. A step is one piece/],
      [
        'bigInt',
        /The entry "step\/sum" of "bigInt" .+ the value\.total is a BigInt\. Return it as text/,
      ],
      [
        'cyclic',
        /The entry "step\/tree" of "cyclic" .+ the value\.self contains itself\. Return a tree/,
      ],
      ['handle', /The entry "step\/open" of "handle" .+ the value\.rows is a Map\. Return a list/],
      [
        'large',
        /The entry "step\/rows" of "large" would be 17002 bytes, .+ Return what later rounds need/,
      ],
      [
        'forgetsQuestion',
        /"forgetsQuestion" returned while "elicit-1" was still open\. Await every/,
      ],
      ['forgetsStep', /"forgetsStep" returned while "step\/audit" was still open\. Await every/],
      [
        'keyOutside',
        /"keyOutside" has no idempotency key where no step is running.+ Read it within/,
      ],
      ['guarded', /confirm\(\) was called where no handler is running\. Call it within/],
    ])('is masked for the client, and in the log with its mend: %s', async (name, logged) => {
      const { text } = await callTool(server.url, name);
      expect(text).not.toContain(' within ');
      expect(text).toMatch(/isError|Internal error/);
      const errors = server.logs.filter(({ level }) => level === 'error');
      expect(errors).toHaveLength(1);
      expect(errors[0]?.text).toMatch(logged);
    });
  });

  it('tells the observer of rounds, and never of an error that is none', async () => {
    const first = await callTool(server.url, 'checkout');
    await answer(server, 'checkout', first, { 'elicit-1': { action: 'cancel' } });
    expect(events.map(({ type }) => type)).toEqual([
      'round.started',
      'round.suspended',
      'round.started',
      'round.completed',
    ]);
    expect(events[1]).toMatchObject({ handler: 'checkout', round: 1, questions: ['elicit-1'] });
    expect(server.logs).toEqual([]);
  });
});

describe('The boot stops, naming class, method and mend, at', () => {
  it.each([
    [{ ttlMs: 0 }, /its ttlMs is 0\. Give an integer of at least 1/],
    [{ ttlMs: 3_600_001 }, /longer than a conversation may last .+ Raise replay\.maxAgeMs/],
    [
      { onMismatch: 'ignore' as 'reject' },
      /its onMismatch is "ignore"\. Use "reject" or "restart"/,
    ],
  ])('%j', async (options, text) => {
    @Injectable()
    class Tools {
      @McpTool(options)
      run(): void {
        // Never called.
      }
    }
    await expect(startServer({ providers: [Tools] })).rejects.toThrow(text);
    await expect(startServer({ providers: [Tools] })).rejects.toThrow(/Tools\.run/);
  });
});
