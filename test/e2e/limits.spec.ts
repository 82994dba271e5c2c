import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type CanActivate, ForbiddenException, Injectable, UseGuards } from '@nestjs/common';
import {
  McpContext,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpSignal,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, stateOf, textOf } from '../support/wire.js';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Lets a spec wait for something a handler does. */
class Milestone {
  reach!: (value?: unknown) => void;
  readonly reached = new Promise<unknown>((resolve) => (this.reach = resolve));
}

let ran: string[];
let started: Milestone;
let released: Milestone;
let aborted: Milestone;

class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('Not you.');
  }
}

@Injectable()
class Tools {
  @McpTool({ requires: ['sampling.tools', 'elicitation.url', 'extensions.com.example/x'] })
  demanding(): string {
    ran.push('demanding');
    return 'all there';
  }

  @McpTool({ requires: ['sampling'], maxConcurrent: 1 })
  @UseGuards(NobodyGuard)
  guarded(): string {
    return 'never';
  }

  @McpPrompt({ requires: ['roots'] })
  rooted(): string {
    return 'has roots';
  }

  @McpResource({ uri: 'docs://sampled', requires: ['sampling'] })
  sampled(): string {
    return 'samples';
  }

  @McpTool({ timeoutMs: 20 })
  async slow(@McpSignal() signal: AbortSignal): Promise<string> {
    await once(signal, 'abort');
    aborted.reach(signal.reason);
    await released.reached;
    return 'too late';
  }

  @McpTool({ timeoutMs: 20, maxConcurrent: 1 })
  async failsLate(@McpSignal() signal: AbortSignal): Promise<string> {
    started.reach();
    await once(signal, 'abort');
    await released.reached;
    throw new Error('came too late');
  }

  @McpTool({ timeoutMs: 20 })
  async obedient(@McpSignal() signal: AbortSignal): Promise<string> {
    await pause(60_000, undefined, { signal });
    return 'never';
  }

  @McpTool({ timeoutMs: 60_000 })
  async quick(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('Go on?', (form) => form.boolean('yes'));
    return answer.action;
  }

  @McpTool({ timeoutMs: 60_000 })
  failing(): never {
    throw new ForbiddenException('Not today.');
  }

  @McpPrompt({ timeoutMs: 20 })
  async slowPrompt(@McpContext() ctx: McpPromptContext): Promise<string> {
    await once(ctx.signal, 'abort');
    return 'too late';
  }

  @McpTool({ maxConcurrent: 2 })
  async busy(): Promise<string> {
    ran.push('busy');
    started.reach();
    await released.reached;
    return 'done';
  }

  @McpTool({ maxConcurrent: 1 })
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicit('Go on?', (form) => form.boolean('yes'))).action;
  }

  @McpTool()
  async stops(@McpSignal() signal: AbortSignal): Promise<void> {
    started.reach();
    try {
      await pause(60_000, undefined, { signal });
    } finally {
      aborted.reach();
    }
  }

  @McpTool()
  async stumbles(@McpSignal() signal: AbortSignal): Promise<void> {
    started.reach();
    await once(signal, 'abort');
    aborted.reach();
    throw new Error('stumbled on the way out');
  }
}

describe.each(adapters)('The limits of handlers on %s', (_, adapter) => {
  let server: TestServer;
  let url: string;

  const errors = (): string[] =>
    server.logs.filter(({ level }) => level === 'error').map(({ text }) => text);

  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Tools] });
    ({ url } = server);
  });
  beforeEach(() => {
    ran = [];
    started = new Milestone();
    released = new Milestone();
    aborted = new Milestone();
    server.logs.length = 0;
  });
  afterEach(() => released.reach());
  afterAll(() => server.close());

  describe('requires', () => {
    it('names everything that is missing at once, before the handler runs', async () => {
      const response = await callTool(url, 'demanding');
      expect(response.status).toBe(400);
      expect(errorOf(response)).toMatchObject({
        code: -32021,
        data: {
          requiredCapabilities: {
            sampling: { tools: {} },
            elicitation: { url: {} },
            extensions: { 'com.example/x': {} },
          },
        },
      });
      expect(ran).toEqual([]);
    });

    it('lets a client that has it all pass', async () => {
      const response = await callTool(
        url,
        'demanding',
        {},
        {},
        {
          meta: {
            [CAPABILITIES]: {
              sampling: { tools: {} },
              elicitation: { url: {} },
              extensions: { 'com.example/x': {} },
            },
          },
        },
      );
      expect(textOf(response)).toBe('all there');
    });

    it('holds for prompts and resources', async () => {
      expect(errorOf(await send(url, 'prompts/get', { name: 'rooted' }))).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { roots: {} } },
      });
      expect(errorOf(await send(url, 'resources/read', { uri: 'docs://sampled' }))).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { sampling: {} } },
      });
    });

    it('comes after guards', async () => {
      expect(errorOf(await callTool(url, 'guarded'))).toMatchObject({ code: 403 });
    });
  });

  describe('timeoutMs', () => {
    it('ends a tool with a result its caller can read, and aborts the signal', async () => {
      const result = resultOf(await callTool(url, 'slow'));
      expect(result).toMatchObject({
        isError: true,
        content: [
          { text: '"slow" did not finish within 20 ms. Try again later, or ask for less.' },
        ],
      });
      expect(await aborted.reached).toMatchObject({ name: 'HandlerTimeoutException' });
      released.reach();
    });

    it('ends a prompt with an error', async () => {
      const response = await send(url, 'prompts/get', { name: 'slowPrompt' });
      expect(response.status).toBe(504);
      expect(errorOf(response)).toMatchObject({ code: -32603, data: { timeoutMs: 20 } });
    });

    it('logs once what fails afterwards, and holds the place until then', async () => {
      expect(resultOf(await callTool(url, 'failsLate')).isError).toBe(true);
      expect(errorOf(await callTool(url, 'failsLate'))).toMatchObject({ code: 503 });
      expect(errors()).toEqual([]);
      released.reach();
      await pause(0);
      expect(errors()).toHaveLength(1);
      expect(errors()[0]).toContain('came too late');
    });

    it('does not log that a handler has obeyed', async () => {
      expect(resultOf(await callTool(url, 'obedient'))).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('within 20 ms') as string }],
      });
      expect(errors()).toEqual([]);
    });

    it('leaves questions and failures within the time alone', async () => {
      const requestState = stateOf(await callTool(url, 'quick'));
      const inputResponses = { 'elicit-1': { action: 'decline' } };
      expect(textOf(await callTool(url, 'quick', {}, { requestState, inputResponses }))).toBe(
        'decline',
      );
      expect(textOf(await callTool(url, 'failing'))).toBe('Not today.');
    });
  });

  describe('maxConcurrent', () => {
    it('refuses what is too much, and says when to come back', async () => {
      const calls = [callTool(url, 'busy'), callTool(url, 'busy')];
      await started.reached;
      while (ran.length < 2) await pause(1);
      const refused = await callTool(url, 'busy');
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(errorOf(refused)).toEqual({
        code: 503,
        message: '"busy" is busy: it already runs 2 times, as often as it may. Try again later.',
        data: { maxConcurrent: 2 },
      });
      released.reach();
      expect((await Promise.all(calls)).map(textOf)).toEqual(['done', 'done']);
      expect(textOf(await callTool(url, 'busy'))).toBe('done');
    });

    it('gives the place back while the user thinks', async () => {
      stateOf(await callTool(url, 'asking'));
      stateOf(await callTool(url, 'asking'));
    });
  });

  describe('a client that goes away', () => {
    it('stops the handler; that it stopped is no error', async () => {
      const controller = new AbortController();
      const call = callTool(url, 'stops', {}, {}, { signal: controller.signal });
      await started.reached;
      controller.abort();
      await expect(call).rejects.toThrow();
      await aborted.reached;
      await pause(0);
      expect(errors()).toEqual([]);
    });

    it('finds a real error of the handler in the log, once', async () => {
      const controller = new AbortController();
      const call = callTool(url, 'stumbles', {}, {}, { signal: controller.signal });
      await started.reached;
      controller.abort();
      await expect(call).rejects.toThrow();
      await aborted.reached;
      await pause(0);
      expect(errors()).toHaveLength(1);
      expect(errors()[0]).toContain('stumbled on the way out');
    });
  });
});

describe('A limit that could not be kept', () => {
  const boot = (options: object): Promise<TestServer> => {
    @Injectable()
    class Limited {
      @McpTool(options)
      tool(): string {
        return '';
      }
    }
    return startServer({ providers: [Limited] });
  };

  it.each([
    [{ timeoutMs: 0 }, /Limited\.tool.*timeoutMs is 0.*Give an integer of 1/s],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs is 2147483648/],
    [{ timeoutMs: 1.5 }, /timeoutMs is 1.5/],
    [{ maxConcurrent: -1 }, /maxConcurrent is -1/],
    [{ requires: ['toString'] }, /requires "toString".*Use elicitation/s],
    [{ requires: ['extensions.'] }, /requires "extensions\."/],
  ])('%j stops the boot', async (options, message) => {
    await expect(boot(options)).rejects.toThrow(message);
  });
});
