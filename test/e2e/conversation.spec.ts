import { Injectable } from '@nestjs/common';
import { IsEmail, IsIn, IsInt, Max, Min } from 'class-validator';
import {
  McpArg,
  McpArgs,
  McpContext,
  McpElicit,
  McpElicitor,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { type Answer, connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, resultOf, stateOf, textOf } from '../support/wire.js';

class OpenAccount {
  @IsEmail()
  email!: string;
}

class Preferences {
  @IsIn(['letter', 'mail'])
  channel!: string;

  @IsInt()
  @Min(1)
  @Max(28)
  day = 1;
}

/** A service of the application that asks by itself. */
@Injectable()
class Concierge {
  constructor(private readonly elicitor: McpElicitor) {}

  async nameOf(guest: string): Promise<string> {
    const answer = await this.elicitor.elicit(`What is the name of ${guest}?`, (form) =>
      form.string('name', { minLength: 2 }),
    );
    return answer.action === 'accept' ? answer.content.name : 'nobody';
  }
}

const runs: string[] = [];

@Injectable()
class Desk {
  constructor(private readonly concierge: Concierge) {}

  @McpTool({ description: 'Asks one question' })
  async one(@McpContext() ctx: McpToolContext): Promise<string> {
    runs.push('one');
    const answer = await ctx.elicit('Your name?', (form) => form.string('name'));
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
  }

  @McpTool({ description: 'Asks two questions, one after the other' })
  async two(
    @McpArgs() args: OpenAccount,
    @McpElicit() elicitor: McpElicitor,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    const name = await elicitor.elicit('Your name?', (form) => form.string('name'));
    if (name.action !== 'accept') return name.action;
    const plan = await ctx.elicit('Your plan?', (form) => form.choice('plan', ['free', 'pro']));
    if (plan.action !== 'accept') return plan.action;
    return `${args.email} is ${name.content.name} on ${plan.content.plan} after ${ctx.round} rounds`;
  }

  @McpTool({ description: 'Asks two questions at once' })
  async both(@McpContext() ctx: McpToolContext): Promise<string> {
    const [a, b] = await Promise.all([
      ctx.elicit('First?', (form) => form.integer('n'), { key: 'first' }),
      ctx.elicit('Second?', (form) => form.integer('n'), { key: 'second' }),
    ]);
    const n = (answer: typeof a): number => (answer.action === 'accept' ? answer.content.n : 0);
    return `${n(a) + n(b)} in round ${ctx.round}`;
  }

  @McpTool({ description: 'Asks with a class' })
  async prefer(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('How shall we reach you?', Preferences);
    if (answer.action !== 'accept') return answer.action;
    return `${answer.content instanceof Preferences ? 'an instance' : 'plain'}: ${answer.content.channel} ${answer.content.day}`;
  }

  @McpTool({ description: 'A service asks' })
  async guests(): Promise<string> {
    const [a, b] = await Promise.all([
      this.concierge.nameOf('guest 1'),
      this.concierge.nameOf('guest 2'),
    ]);
    return `${a} and ${b}`;
  }

  @McpPrompt({ description: 'A letter' })
  async letter(
    @McpArg('topic') topic: string,
    @McpContext() ctx: McpPromptContext,
  ): Promise<string> {
    const tone = await ctx.elicit('Which tone?', (form) => form.string('tone'));
    return `Write about ${topic}, ${tone.action === 'accept' ? tone.content.tone : 'plainly'}.`;
  }

  @McpResource({ uri: 'desk://safe', mimeType: 'text/plain' })
  async safe(@McpContext() ctx: McpResourceContext): Promise<string> {
    const word = await ctx.elicit('The word?', (form) => form.string('word'));
    return word.action === 'accept' ? `open with ${word.content.word}` : 'shut';
  }

  @McpResource({ uriTemplate: 'desk://rooms/{number}', mimeType: 'text/plain' })
  async room(
    @McpArg('number') number: number,
    @McpElicit() elicitor: McpElicitor,
  ): Promise<string> {
    const answer = await elicitor.elicit(`Enter room ${number}?`, (form) => form.boolean('yes'));
    return `${typeof number} ${number}: ${answer.action}`;
  }
}

const answers: Record<string, Answer> = {
  'Your name?': { action: 'accept', content: { name: 'Ada' } },
  'Your plan?': { action: 'accept', content: { plan: 'pro' } },
  'First?': { action: 'accept', content: { n: 20 } },
  'Second?': { action: 'accept', content: { n: 22 } },
  'How shall we reach you?': { action: 'accept', content: { channel: 'mail' } },
  'What is the name of guest 1?': { action: 'accept', content: { name: 'Ada' } },
  'What is the name of guest 2?': { action: 'accept', content: { name: 'Grace' } },
  'Which tone?': { action: 'accept', content: { tone: 'warmly' } },
  'The word?': { action: 'accept', content: { word: 'sesame' } },
  'Enter room 12?': { action: 'accept', content: { yes: true } },
};

const always = (answer: Answer) => (): Answer => answer;

describe.each(adapters)('A conversation with the official client on %s', (_, adapter) => {
  let server: TestServer;
  const asked: string[] = [];
  const answer = (message: string): Answer => {
    asked.push(message);
    const known = answers[message];
    if (known === undefined) throw new Error(`an unexpected question: ${message}`);
    return known;
  };

  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Concierge, Desk] });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    asked.length = 0;
    runs.length = 0;
  });

  const call = async (
    name: string,
    args: Record<string, unknown> = {},
    by: (message: string) => Answer = answer,
  ): Promise<unknown> => {
    const client = await connect(server.url, { answer: by });
    try {
      const { content } = await client.callTool({ name, arguments: args });
      return (content[0] as { text: string }).text;
    } finally {
      await client.close();
    }
  };

  it('asks one question', async () => {
    expect(await call('one')).toBe('Hello Ada');
    expect(asked).toEqual(['Your name?']);
    expect(runs).toEqual(['one', 'one']);
  });

  it('asks two questions, one after the other', async () => {
    expect(await call('two', { email: 'ada@example.com' })).toBe(
      'ada@example.com is Ada on pro after 3 rounds',
    );
    expect(asked).toEqual(['Your name?', 'Your plan?']);
  });

  it('takes decline and cancel for answers', async () => {
    expect(await call('one', {}, always({ action: 'decline' }))).toBe('decline');
    expect(await call('one', {}, always({ action: 'cancel' }))).toBe('cancel');
  });

  it('asks questions that stand together in one round', async () => {
    expect(await call('both')).toBe('42 in round 2');
    expect([...asked].sort()).toEqual(['First?', 'Second?']);
  });

  it('asks with a class, fills its defaults and hands over an instance', async () => {
    expect(await call('prefer')).toBe('an instance: mail 1');
  });

  it('lets a service of the application ask', async () => {
    expect(await call('guests')).toBe('Ada and Grace');
  });

  it('asks again when the content does not fit, with the reasons in the message', async () => {
    const messages: string[] = [];
    const result = await call('prefer', {}, (message) => {
      messages.push(message);
      return {
        action: 'accept',
        content: messages.length === 1 ? { channel: 'pigeon', day: 40 } : { channel: 'letter' },
      };
    });
    expect(result).toBe('an instance: letter 1');
    expect(messages).toEqual([
      'How shall we reach you?',
      'How shall we reach you?\n\nPlease correct: "channel" must be one of "letter", "mail"; "day" must be at most 28.',
    ]);
  });

  it('plays a prompt', async () => {
    const client = await connect(server.url, { answer });
    const { messages } = await client.getPrompt({ name: 'letter', arguments: { topic: 'music' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write about music, warmly.' } },
    ]);
    await client.close();
  });

  it('plays a resource and a template', async () => {
    const client = await connect(server.url, { answer });
    const { contents } = await client.readResource({ uri: 'desk://safe' });
    expect(contents).toEqual([
      { uri: 'desk://safe', mimeType: 'text/plain', text: 'open with sesame' },
    ]);
    const room = await client.readResource({ uri: 'desk://rooms/12' });
    expect(room.contents).toEqual([
      { uri: 'desk://rooms/12', mimeType: 'text/plain', text: 'number 12: accept' },
    ]);
    await client.close();
  });

  it('merges partial answers and asks for the rest', async () => {
    const first = await callTool(server.url, 'both');
    expect(Object.keys(resultOf(first).inputRequests ?? {})).toEqual(['first', 'second']);
    const second = await callTool(
      server.url,
      'both',
      {},
      {
        requestState: stateOf(first),
        inputResponses: { second: { action: 'accept', content: { n: 2 } } },
      },
    );
    expect(Object.keys(resultOf(second).inputRequests ?? {})).toEqual(['first']);
    const third = await callTool(
      server.url,
      'both',
      {},
      {
        requestState: stateOf(second),
        inputResponses: { first: { action: 'accept', content: { n: 1 } } },
      },
    );
    expect(textOf(third)).toBe('3 in round 3');
  });

  it('finds the same conversation on another instance that shares the key', async () => {
    const other = await startServer({ adapter, providers: [Concierge, Desk] });
    let requests = 0;
    const alternating: typeof fetch = (input, init) => {
      requests += 1;
      const url = new URL(input instanceof Request ? input.url : input);
      url.port = String(requests % 2 === 0 ? other.port : server.port);
      return fetch(url, init);
    };
    const client = await connect(server.url, { answer, fetch: alternating });
    const { content } = await client.callTool({
      name: 'two',
      arguments: { email: 'ada@example.com' },
    });
    expect((content[0] as { text: string }).text).toBe(
      'ada@example.com is Ada on pro after 3 rounds',
    );
    expect(requests).toBeGreaterThanOrEqual(3);
    await client.close();
    await other.close();
  });

  it('names nothing of a suspension in the log', () => {
    expect(server.logs.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });
});
