import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Injectable, Module, type OnModuleDestroy, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { jest } from '@jest/globals';
import { McpSignal, McpTool } from '../../decorators/index.js';
import { InvalidOptionsException } from '../../exceptions/index.js';
import { McpModule } from '../../mcp.module.js';
import type { McpModuleOptions } from '../../options/index.js';
import { McpStdio, serveProcess } from './mcp-stdio.js';
import { McpStdioLogger } from './mcp-stdio.logger.js';

const events: string[] = [];

@Injectable()
class Tools implements OnModuleDestroy {
  started!: () => void;
  readonly start = new Promise<void>((resolve) => (this.started = resolve));

  @McpTool({ description: 'Goes on until it is stopped' })
  async stuck(@McpSignal() signal: AbortSignal): Promise<void> {
    this.started();
    await once(signal, 'abort');
    events.push('stopped');
  }

  onModuleDestroy(): void {
    events.push('destroyed');
  }

  onApplicationShutdown(signal?: string): void {
    events.push(`shut down by ${signal ?? 'nobody'}`);
  }
}

function moduleWith(options: Partial<McpModuleOptions> = { transports: ['stdio'] }): Type {
  @Module({
    imports: [
      McpModule.forRoot({
        server: { name: 'bank', version: '1.0.0' },
        replay: { secret: Buffer.alloc(32).toString('base64') },
        ...options,
      }),
    ],
    providers: [Tools],
  })
  class AppModule {}
  return AppModule;
}

/** What `process` is to a server. */
class Host extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  exitCode?: number;
  exited!: () => void;
  readonly exitCalled = new Promise<void>((resolve) => (this.exited = resolve));

  exit(): void {
    this.exited();
  }
}

const quiet = { logger: false, abortOnError: false } as const;

function request(id: number, method: string, params: object = {}): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`;
}

let host: Host;

async function said(stream: PassThrough = host.stdout): Promise<unknown> {
  if (stream.readableLength === 0) await once(stream, 'readable');
  return JSON.parse(String(stream.read()));
}

beforeEach(() => {
  events.length = 0;
  host = new Host();
});

describe('McpStdio.serve', () => {
  it('answers, and ends with the client', async () => {
    await serveProcess(host, moduleWith(), quiet);
    host.stdin.write(request(1, 'server/discover'));
    expect(await said()).toMatchObject({ id: 1, result: { supportedVersions: ['2026-07-28'] } });
    expect(host.listenerCount('SIGTERM')).toBe(1);
    host.stdin.end();
    await host.exitCalled;
    expect(events).toEqual(['destroyed', 'shut down by nobody']);
    expect(host.listenerCount('SIGTERM')).toBe(0);
    expect(host.listenerCount('SIGINT')).toBe(0);
    expect(host.exitCode).toBeUndefined();
  });

  it('lets a call end before anything it uses, and a second signal end the wait', async () => {
    const app = await serveProcess(host, moduleWith(), quiet);
    host.stdin.write(request(1, 'tools/call', { name: 'stuck' }));
    await app.get(Tools).start;
    host.emit('SIGINT', 'SIGINT');
    await new Promise(setImmediate);
    expect(events).toEqual([]);
    host.emit('SIGTERM', 'SIGTERM');
    // The next one is the process's own.
    expect(host.listenerCount('SIGTERM')).toBe(0);
    await host.exitCalled;
    expect(events).toEqual(['stopped', 'destroyed', 'shut down by SIGINT']);
    expect(host.stdout.readableLength).toBe(0);
  });

  it('ends subscriptions with their final response', async () => {
    await serveProcess(host, moduleWith(), quiet);
    const notifications = { toolsListChanged: true };
    host.stdin.write(request(1, 'subscriptions/listen', { notifications }));
    expect(await said()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    host.stdin.end();
    expect(await said()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    await host.exitCalled;
  });

  it('may be ended by the application, once', async () => {
    const app = await serveProcess(host, moduleWith(), quiet);
    await app.close();
    expect(host.stdin.destroyed).toBe(true);
    expect(host.listenerCount('SIGTERM')).toBe(0);
    await new Promise(setImmediate);
    expect(events).toEqual(['destroyed', 'shut down by nobody']);
  });

  it('ends even when the application cannot be closed, and tells it failed', async () => {
    const app = await serveProcess(host, moduleWith(), quiet);
    app.close = () => Promise.reject(new Error('a bug of the application'));
    host.stdin.end();
    await host.exitCalled;
    expect(host.exitCode).toBe(1);
  });

  it('takes the promise of a module', async () => {
    const app = await serveProcess(host, Promise.resolve(moduleWith()), quiet);
    expect(app.get(Tools)).toBeInstanceOf(Tools);
    await app.close();
  });

  it('needs a server that has stdio', async () => {
    const serving = serveProcess(host, moduleWith({}), quiet);
    await expect(serving).rejects.toThrow(InvalidOptionsException);
    await expect(serving).rejects.toThrow(
      'McpModule option transports has no "stdio". Write transports: ["stdio"], or ["http", "stdio"] for both.',
    );
  });

  it('needs a server', async () => {
    @Module({})
    class Empty {}
    await expect(serveProcess(host, Empty, quiet)).rejects.toThrow(
      'McpModule option transports is nowhere: the application has no McpModule.',
    );
  });

  it('takes the one server of several that has stdio', async () => {
    @Module({
      imports: [
        moduleWith({}),
        McpModule.forRoot({
          name: 'local',
          server: { name: 'local', version: '1.0.0' },
          replay: { secret: Buffer.alloc(32).toString('base64') },
          transports: ['stdio'],
        }),
      ],
    })
    class AppModule {}
    const app = await serveProcess(host, AppModule, quiet);
    host.stdin.write(request(1, 'server/discover'));
    expect(await said()).toMatchObject({
      result: { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'local' } } },
    });
    await app.close();
  });
});

describe('McpStdio.connect', () => {
  it('serves several clients of an application that outlives them', async () => {
    const app = await NestFactory.createApplicationContext(moduleWith(), quiet);
    const clients = [0, 1].map(() => ({ input: new PassThrough(), output: new PassThrough() }));
    const connections = clients.map((streams) => McpStdio.connect(app, streams));
    for (const { input, output } of clients) {
      input.write(request(1, 'server/discover'));
      expect(await said(output)).toMatchObject({ id: 1 });
    }
    clients[0]?.input.end();
    await connections[0]?.closed;
    expect(events).toEqual([]);
    clients[1]?.input.write(request(2, 'server/discover'));
    expect(await said(clients[1]?.output)).toMatchObject({ id: 2 });
    await app.close();
    await connections[1]?.closed;
    expect(clients[1]?.output.writableEnded).toBe(true);
  });

  it('drops subscriptions when the connection is closed', async () => {
    const app = await NestFactory.createApplicationContext(moduleWith(), quiet);
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const connection = McpStdio.connect(app, streams);
    streams.input.write(request(1, 'subscriptions/listen', { notifications: {} }));
    expect(await said(streams.output)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    });
    await connection.close();
    expect(await said(streams.output)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    await app.close();
  });

  it('needs a server that has stdio', async () => {
    const app = await NestFactory.createApplicationContext(moduleWith({}), quiet);
    const streams = { input: new PassThrough(), output: new PassThrough() };
    expect(() => McpStdio.connect(app, streams)).toThrow(InvalidOptionsException);
    await app.close();
  });
});

it('The logger writes to stderr, whatever the level', () => {
  const lines: string[] = [];
  const stdout = jest.spyOn(process.stdout, 'write');
  const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  const logger = new McpStdioLogger();
  logger.log('a log');
  logger.warn('a warning');
  logger.error('an error');
  expect(stdout.mock.calls).toEqual([]);
  stdout.mockRestore();
  stderr.mockRestore();
  expect(lines.map((line) => /(a log|a warning|an error)/.exec(line)?.[1])).toEqual([
    'a log',
    'a warning',
    'an error',
  ]);
});
