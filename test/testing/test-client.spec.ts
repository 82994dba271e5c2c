import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IsInt, IsString } from 'class-validator';
import {
  MCP_CLOCK,
  McpArg,
  McpArgs,
  McpContext,
  McpModule,
  McpNotifier,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import {
  accept,
  type Answers,
  type AskedQuestion,
  cancel,
  decline,
  FakeClock,
  McpCallFailedException,
  McpTestClient,
  UnansweredQuestionException,
  UnusedAnswersException,
} from '@dacapo/testing';
import { HeaderPrincipalSource } from '../support/header-principal.source.js';
import { SECRET } from '../support/test-server.js';

class Order {
  @IsString() isbn!: string;
  @IsInt() copies!: number;
}

class Receipt {
  @IsInt() cents!: number;
  @IsString() email!: string;
}

let charges: number;

@Injectable()
class Shop {
  @McpTool({ description: 'Buys books', output: Receipt, once: true })
  async buy(@McpArgs() order: Order, @McpContext() ctx: McpToolContext): Promise<Receipt> {
    ctx.log.info('begun');
    const { email } = await ctx.ask('Your email?', (form) => form.email('email'), { key: 'email' });
    const cents = await ctx.step('charge', () => {
      charges += 1;
      return order.copies * 1_500;
    });
    ctx.percentageProgress().to(0.5, 'charged');
    await ctx.confirm('A receipt?');
    return { cents, email };
  }

  @McpTool({ description: 'Asks two things at once' })
  async pair(@McpContext() ctx: McpToolContext): Promise<string> {
    const both = await Promise.all([
      ctx.elicit('First?', (form) => form.string('a'), { key: 'first' }),
      ctx.elicit('Second?', (form) => form.string('b'), { key: 'second' }),
    ]);
    return both.map(({ action }) => action).join(' ');
  }

  @McpTool({ description: 'Asks a model, for folders, and for a visit' })
  async everything(@McpContext() ctx: McpToolContext): Promise<string> {
    const said = await ctx.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
      maxTokens: 10,
    });
    const roots = await ctx.listRoots();
    const { action } = await ctx.elicitUrl('Sign in', 'https://example.com/');
    return [said.model, roots[0]?.uri, action].join(' ');
  }

  @McpTool({ description: 'Fails' })
  fail(): void {
    throw new Error('secret');
  }

  @McpTool({ description: 'Waits' })
  async wait(@McpContext() ctx: McpToolContext): Promise<void> {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
  }

  @McpPrompt({ description: 'Recommends' })
  async recommend(
    @McpArg('topic') topic: string,
    @McpContext() ctx: McpPromptContext,
  ): Promise<string> {
    const sure = await ctx.confirm(`About ${topic}?`);
    return `${topic}: ${sure}`;
  }

  @McpResource({ uriTemplate: 'book://{isbn}' })
  async book(
    @McpArg('isbn', { complete: ['123', '124', '200'] }) isbn: string,
    @McpContext() ctx: McpResourceContext,
  ): Promise<string> {
    return `${isbn} for ${ctx.principal}: ${await ctx.confirm('Read it?')}`;
  }

  @McpResource({ uri: 'book://all' })
  all(): string {
    return 'all';
  }
}

const clock = new FakeClock();
let app: INestApplicationContext;
let client: McpTestClient;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [
      McpModule.forRoot({
        server: { name: 'shop', version: '1.0.0' },
        replay: { secret: SECRET, ttlMs: 1_000 },
        lists: { pageSize: 2 },
        principalSource: { useClass: HeaderPrincipalSource },
      }),
    ],
    providers: [Shop],
  })
    .overrideProvider(MCP_CLOCK)
    .useValue(clock.now)
    .compile();
  app = await module.init();
  client = McpTestClient.connect(app, { logLevel: 'info' });
});
afterAll(() => app.close());
beforeEach(() => {
  charges = 0;
});

const EMAIL = accept({ email: 'ada@example.com' });
const YES = accept({ confirmed: true });

describe('A test client', () => {
  it.each<[string, Answers]>([
    ['by key', { email: EMAIL, 'elicit-1': YES }],
    ['in order', [EMAIL, YES]],
    ['by a function', ({ key }: AskedQuestion) => (key === 'email' ? EMAIL : YES)],
  ])('answers what a tool asks, %s', async (_, answers) => {
    const buy = client.tool<Order, Receipt>('buy');
    const call = await buy({ isbn: '123', copies: 2 }, answers);
    expect(call.structured.cents).toBe(3_000);
    expect(call.structured).toEqual({ cents: 3_000, email: 'ada@example.com' });
    expect(JSON.parse(call.text)).toEqual(call.structured);
    expect(call.isError).toBe(false);
    const { conversation } = call;
    expect(conversation.rounds).toBe(3);
    expect(conversation.asked).toMatchObject([
      { key: 'email', round: 1, message: 'Your email?', schema: { required: ['email'] } },
      { key: 'elicit-1', round: 2, message: 'A receipt?' },
    ]);
    expect(conversation.progress).toMatchObject([{ progress: 0.5, message: 'charged' }]);
    expect(conversation.logs).toMatchObject([{ level: 'info', data: 'begun' }]);
    expect(charges).toBe(1);
  });

  it('goes round by round, and shows the ledger', async () => {
    const conversation = await client.startTool('buy', { isbn: '123', copies: 1 });
    expect(conversation.question('email').schema?.properties).toHaveProperty('email');
    expect(conversation.ledger).toMatchObject([{ key: 'email' }]);
    expect(() => conversation.result).toThrow(
      'The call has no result yet: "email" must be answered.',
    );
    await conversation.answer({ email: EMAIL });
    expect(conversation.ledger).toMatchObject([
      { key: 'email', outcome: EMAIL },
      { key: 'step/charge', outcome: 1_500 },
      { key: 'elicit-1' },
    ]);
    expect(() => conversation.question('email')).toThrow(
      '"email" is not asked now; "elicit-1" is.',
    );
    await conversation.answerAll([YES]);
    expect(conversation.ended).toBe(true);
    expect(conversation.questions).toEqual([]);
    expect(() => conversation.question('email')).toThrow('"email" is not asked now; nothing is.');
    expect(() => conversation.requestState).toThrow('The conversation has ended');
  });

  it('sends a round twice', async () => {
    const conversation = await client.startTool('buy', { isbn: '123', copies: 1 });
    await conversation.answer({ email: EMAIL });
    const twin = conversation.fork();
    await conversation.answer({ 'elicit-1': YES });
    await twin.answer({ 'elicit-1': YES });
    expect(twin.result).toEqual(conversation.result);
    expect(twin.asked).toEqual(conversation.asked);
    expect(charges).toBe(1);
  });

  it('answers in part what is asked at once', async () => {
    let rounds = 0;
    const call = await client.callTool('pair', {}, ({ key, round }) => {
      rounds = round;
      return key === 'second' || round === 2 ? decline() : undefined;
    });
    expect(call.text).toBe('decline decline');
    expect(rounds).toBe(2);
    expect((await client.callTool('pair', {}, [cancel(), decline()])).text).toBe('cancel decline');
  });

  it('answers again what did not fit', async () => {
    const call = await client.callTool(
      'buy',
      { isbn: '123', copies: 1 },
      { email: [accept({ email: 'nobody' }), EMAIL], 'elicit-1': YES },
    );
    expect(call.conversation.rounds).toBe(4);
    expect(call.conversation.asked[1]?.message).toMatch(/^Your email\?.*email/s);
  });

  it('answers as a model, with folders, and after a visit', async () => {
    const call = await client.callTool('everything', {}, [
      { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm' },
      { roots: [{ uri: 'file:///a' }] },
      accept(),
    ]);
    expect(call.text).toBe('m file:///a accept');
    expect(call.conversation.asked).toMatchObject([
      { key: 'sample-1', message: expect.stringContaining('Hi') as unknown, schema: undefined },
      { key: 'roots-1', message: '', schema: undefined },
      { key: 'elicit-1', message: 'Sign in', schema: undefined },
    ]);
  });

  it('fails the test for a question that nothing answers', async () => {
    const call = client.callTool('buy', { isbn: '1', copies: 1 }, { email: EMAIL });
    await expect(call).rejects.toThrow(UnansweredQuestionException);
    await expect(call).rejects.toThrow(
      'Nothing answers "elicit-1" of round 2 ("A receipt?"). Give the call an answer by that key, ' +
        'or start it with startTool(), startPrompt() or startResource() and answer round by round.',
    );
  });

  it.each<[string, Answers, string]>([
    ['a key', { first: decline(), second: decline(), third: decline() }, '"third"'],
    ['a further try', { first: decline(), second: [decline(), decline()] }, '"second"'],
    ['an item', [decline(), decline(), decline(), decline()], '#3, #4'],
  ])('fails the test for %s of the script that nothing asks for', async (_, answers, unused) => {
    const call = client.callTool('pair', {}, answers);
    await expect(call).rejects.toThrow(UnusedAnswersException);
    await expect(call).rejects.toThrow(`without asking for the answer ${unused}. Leave it out`);
  });

  it('tells errors of the protocol from failures of a tool', async () => {
    const unknown = client.callTool('sell');
    await expect(unknown).rejects.toThrow(McpCallFailedException);
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
    const failed = await client.callTool('fail');
    expect(failed.isError).toBe(true);
    expect(failed.text).not.toContain('secret');
    expect(() => failed.structured).toThrow(
      'The result has no structured content; the tool has failed: "The tool failed unexpectedly.',
    );
  });

  it('says what it can do', async () => {
    const plain = client.with({ capabilities: {}, clientInfo: { name: 'plain', version: '2' } });
    await expect(plain.startTool('pair')).rejects.toMatchObject({ code: -32021 });
  });

  it('gets prompts and reads resources, as somebody', async () => {
    const prompt = await client.getPrompt('recommend', { topic: 'maths' }, [YES]);
    expect(prompt.messages).toMatchObject([{ content: { text: 'maths: true' } }]);
    const ada = client.with({ headers: { 'x-user': 'ada' } });
    const { contents } = await ada.readResource('book://9', [decline()]);
    expect(contents).toMatchObject([{ text: '9 for ada: false' }]);
    expect((await client.startPrompt('recommend', { topic: 'x' })).questions).toHaveLength(1);
    expect((await client.startResource('book://9')).questions).toHaveLength(1);
  });

  it('lists every page', async () => {
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'buy',
      'pair',
      'everything',
      'fail',
      'wait',
    ]);
    expect(await client.listPrompts()).toMatchObject([{ name: 'recommend' }]);
    expect(await client.listResources()).toMatchObject([{ uri: 'book://all' }]);
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: 'book://{isbn}' }]);
  });

  it('discovers, completes, and sends anything else', async () => {
    expect((await client.discover()).capabilities).toHaveProperty('tools');
    const { values } = await client.complete({
      ref: { type: 'ref/resource', uri: 'book://{isbn}' },
      argument: { name: 'isbn', value: '12' },
    });
    expect(values).toEqual(['123', '124']);
    expect(await client.request('tools/list')).toHaveProperty('nextCursor');
    await expect(client.request('tools/none')).rejects.toMatchObject({ code: -32601 });
  });

  it('listens to changes', async () => {
    const subscription = client.listen({ toolsListChanged: true });
    const first = await subscription.next();
    expect(first.method).toBe('notifications/subscriptions/acknowledged');
    const next = subscription.next();
    app.get(McpNotifier).toolsChanged();
    expect((await next).method).toBe('notifications/tools/list_changed');
    await subscription.close();
    await expect(subscription.next()).rejects.toThrow();
  });

  it('takes a call back', async () => {
    const controller = new AbortController();
    const call = client.callTool('wait', {}, {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('lives by a clock of its own', async () => {
    const conversation = await client.startTool('pair');
    clock.advance(1_000);
    await conversation.fork().answer({ first: decline() });
    clock.advance(1);
    await expect(conversation.answer({ first: decline() })).rejects.toMatchObject({
      data: { reason: 'state_expired' },
    });
  });
});
