import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  exchangeOf,
  type JsonRpcNotification,
  type JsonRpcRequest,
  McpContext,
  McpExchange,
  McpInProcess,
  type McpInProcessConnection,
  type McpInProcessOptions,
  McpModule,
  McpNotifier,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { HeaderPrincipalSource } from '../support/header-principal.source.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { ENVELOPE } from '../support/wire.js';

@Injectable()
class Badge implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { request } = exchangeOf(context);
    if ((request as { badge?: string } | undefined)?.badge === 'gold') return true;
    throw new ForbiddenException('A golden badge is needed.');
  }
}

const Exchange = createParamDecorator((_: unknown, context: ExecutionContext) =>
  exchangeOf(context),
);

/** Resolves when the waiting tool runs; then when its signal has aborted. */
let running: () => void;
let aborted: (reason: unknown) => void;

@Injectable()
class Tools {
  @McpTool({ description: 'Says who calls' })
  who(@Exchange() { principal, transport }: McpExchange): object {
    return { principal, transport };
  }

  @McpTool({ description: 'Is guarded' })
  @UseGuards(Badge)
  vault(): string {
    return 'open';
  }

  @McpTool({ description: 'Asks' })
  async greet(@McpContext() ctx: McpToolContext): Promise<string> {
    const { name } = await ctx.ask('Name?', (form) => form.string('name'));
    ctx.percentageProgress().to(0.5);
    return `Hello, ${name}!`;
  }

  @McpTool({ description: 'Waits until it is taken back' })
  async wait(@McpContext() ctx: McpToolContext): Promise<void> {
    await new Promise<void>((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        aborted(ctx.signal.reason);
        resolve();
      });
      running();
    });
  }
}

let server: TestServer;

beforeAll(async () => {
  server = await startServer({
    providers: [Tools, Badge],
    mcp: { principalSource: { useClass: HeaderPrincipalSource } },
  });
});
afterAll(() => server.close());

const connect = (options?: McpInProcessOptions): McpInProcessConnection =>
  McpInProcess.connect(server.app, options);

function request(method: string, params: object = {}, meta: object = {}): JsonRpcRequest {
  return {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: { ...ENVELOPE, ...meta } },
  };
}
const call = (name: string, rest: object = {}): JsonRpcRequest =>
  request('tools/call', { name, ...rest });

describe('A client in the same process', () => {
  it('is known by its headers', async () => {
    const { send } = bound(connect({ headers: { 'x-user': 'ada' } }));
    expect(await send(call('who'))).toMatchObject({
      id: 1,
      result: { structuredContent: { principal: 'ada', transport: 'in-process' } },
    });
  });

  it('passes guards like any other', async () => {
    const { send } = bound(connect());
    expect(await send(call('vault'))).toMatchObject({
      error: { code: 403, message: 'A golden badge is needed.' },
    });
    const golden = bound(connect({ request: { badge: 'gold' } }));
    expect(await golden.send(call('vault'))).toMatchObject({
      result: { content: [{ text: 'open' }] },
    });
  });

  it('plays conversations', async () => {
    const connection = connect();
    const first = await connection.send(call('greet'));
    const { requestState } = (first as unknown as { result: { requestState: string } }).result;
    expect(connection.openState(requestState)).toMatchObject({
      round: 1,
      target: 'greet',
      entries: [{ key: 'elicit-1', kind: 'elicit', label: 'Name?' }],
    });
    const heard: JsonRpcNotification[] = [];
    const answer = { action: 'accept', content: { name: 'Ada' } };
    const retry = request(
      'tools/call',
      { name: 'greet', requestState, inputResponses: { 'elicit-1': answer } },
      { progressToken: 7 },
    );
    expect(
      await connection.send(retry, { onNotification: (message) => void heard.push(message) }),
    ).toMatchObject({ result: { content: [{ text: 'Hello, Ada!' }] } });
    expect(heard).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 7, progress: 0.5 } },
    ]);
  });

  it('seals what it has opened', async () => {
    const connection = connect();
    const first = await connection.send(call('greet'));
    const { requestState } = (first as unknown as { result: { requestState: string } }).result;
    const state = connection.openState(requestState);
    const sealed = connection.sealState({ ...state, round: 5 });
    expect(connection.openState(sealed)).toEqual({ ...state, round: 5 });
    expect(() => connection.openState('nothing')).toThrow(
      'requestState is too short. Echo it exactly as it came, or start the call anew without it.',
    );
  });

  it.each<[string, object, object]>([
    ['an envelope', { ...call('who'), params: { name: 'who' } }, { code: -32602 }],
    ['a method', request('tools/none'), { code: -32601 }],
    ['this revision', request('initialize'), { code: -32601 }],
    ['an id', { jsonrpc: '2.0', method: 'tools/list' }, { code: -32600 }],
    ['JSON-RPC', { id: 1, method: 'tools/list' }, { code: -32600 }],
  ])('is refused like any other without %s', async (_, message, error) => {
    expect(await connect().send(message as JsonRpcRequest)).toMatchObject({ error });
  });

  it('shares nothing with the server but JSON', async () => {
    const message = call('who', { arguments: {} });
    const sent = structuredClone(message);
    await connect().send(message);
    expect(message).toEqual(sent);
    const circle = { arguments: {} as Record<string, unknown> };
    circle.arguments['self'] = circle;
    await expect(connect().send(call('who', circle))).rejects.toThrow(TypeError);
  });

  it('takes a call back', async () => {
    const begun = new Promise<void>((resolve) => (running = resolve));
    const ended = new Promise<unknown>((resolve) => (aborted = resolve));
    const controller = new AbortController();
    const answer = connect().send(call('wait'), { signal: controller.signal });
    answer.catch(() => undefined);
    await begun;
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(await ended).toMatchObject({ message: 'The client cancelled the request.' });
  });

  it('does not begin a call that has been taken back', async () => {
    let begun = false;
    running = () => (begun = true);
    const sent = connect().send(call('wait'), { signal: AbortSignal.abort() });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise(setImmediate);
    expect(begun).toBe(false);
  });

  it('hears of changes, until it leaves', async () => {
    const controller = new AbortController();
    const heard: JsonRpcNotification[] = [];
    let tell = (): void => undefined;
    const subscription = connect().send(
      request('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      {
        signal: controller.signal,
        onNotification(message) {
          heard.push(message);
          tell();
        },
      },
    );
    subscription.catch(() => undefined);
    const next = (): Promise<void> => new Promise((resolve) => (tell = resolve));
    await next();
    const changed = next();
    server.app.get(McpNotifier).toolsChanged();
    await changed;
    expect(heard.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
    controller.abort();
    await expect(subscription).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is told that the application is not initialised, as long as it is not', async () => {
    const module = await Test.createTestingModule({
      imports: [McpModule.forRoot({ server: { name: 'early', version: '1.0.0' } })],
      providers: [Tools],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    const early = McpInProcess.connect(app);
    await expect(early.send(call('who'))).rejects.toThrow(
      'The application is not initialised, and the server has no handlers yet. Await app.init()',
    );
    await app.init();
    expect(await early.send(call('who'))).toMatchObject({ result: { resultType: 'complete' } });
    await app.close();
  });

  it('is told which servers there are', () => {
    expect(() => connect({ server: 'admin' })).toThrow(
      'server is "admin", and the application has "default". Give the name of one of them.',
    );
  });
});

/** The methods of a connection, to be taken apart. */
function bound(connection: McpInProcessConnection): Pick<McpInProcessConnection, 'send'> {
  return { send: (message, options) => connection.send(message, options) };
}
