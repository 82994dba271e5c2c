import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type {
  INestApplication,
  LoggerService,
  ModuleMetadata,
  NestApplicationOptions,
} from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { type McpModuleExtras, type McpModuleOptions, McpModule } from '@dacapo/mcp';
import { adapters, type MakeAdapter } from './adapters.js';

export interface TestServerOptions extends ModuleMetadata {
  adapter?: MakeAdapter;
  mcp?: Partial<McpModuleOptions> & McpModuleExtras;
  app?: NestApplicationOptions;
  /** Replaces providers. */
  override?: (builder: TestingModuleBuilder) => void;
  /** Runs before the application listens, as a `main.ts` would. */
  configure?: (app: INestApplication) => void;
  /** Runs between `init()` and `listen()`. */
  afterInit?: (app: INestApplication) => void;
}

/** One line of the server's log. */
export interface LogLine {
  readonly level: 'log' | 'warn' | 'error' | 'debug' | 'verbose' | 'fatal';
  readonly text: string;
}

/** A whole application on a free port of this machine. */
export interface TestServer {
  readonly app: INestApplication;
  readonly url: string;
  readonly port: number;
  /** What the server has logged. */
  readonly logs: LogLine[];
  /** Ends the application, and every connection at once; `app.close()` lets streams end. */
  close(): Promise<void>;
}

/** A key for every server of a spec that does not bring its own. */
export const SECRET = Buffer.alloc(32, 7).toString('base64');

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { adapter = adapters[0][1], mcp = {}, app: appOptions, configure, afterInit } = options;
  const logs: LogLine[] = [];
  const builder = Test.createTestingModule({
    imports: [
      McpModule.forRoot({
        server: { name: 'test', version: '1.0.0' },
        ...mcp,
        replay: { secret: SECRET, ...mcp.replay },
      }),
      ...(options.imports ?? []),
    ],
    controllers: options.controllers ?? [],
    providers: options.providers ?? [],
  }).setLogger(collect(logs));
  options.override?.(builder);
  const testing = await builder.compile();
  const app = testing.createNestApplication(adapter(), { ...appOptions });
  configure?.(app);
  if (afterInit !== undefined) {
    await app.init();
    afterInit(app);
  }
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return {
    app,
    logs,
    port,
    url: `http://127.0.0.1:${port}${mcp.path ?? '/mcp'}`,
    async close() {
      const closing = app.close();
      // A client may hold a connection open that it has not used yet.
      (app.getHttpServer() as Server).closeAllConnections();
      await closing;
    },
  };
}

/** A logger that keeps what it is told. */
export function collect(logs: LogLine[]): LoggerService {
  const keep =
    (level: LogLine['level']) =>
    (...messages: unknown[]): void => {
      logs.push({ level, text: messages.map(toText).join(' ') });
    };
  return {
    log: keep('log'),
    warn: keep('warn'),
    error: keep('error'),
    debug: keep('debug'),
    verbose: keep('verbose'),
    fatal: keep('fatal'),
  };
}

function toText(message: unknown): string {
  return message instanceof Error ? (message.stack ?? message.message) : String(message);
}
