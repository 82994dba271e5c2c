import type { Readable, Writable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { InvalidOptionsException } from '../../exceptions/index.js';
import { declaredInstances } from '../../options/index.js';
import { claimStdout } from './claim-stdout.js';
import { LineWriter } from './line-writer.js';
import { McpStdioLogger } from './mcp-stdio.logger.js';
import { StdioProcess, type StdioHost } from './stdio-process.js';
import type { McpStdioConnection } from './stdio.connection.js';
import { StdioTransport } from './stdio.transport.js';

/** What `NestFactory` makes an application of: a module, or the promise of one. */
export type EntryModule = Parameters<typeof NestFactory.createApplicationContext>[0];

/** Nest's options of an application without an HTTP server. Its log goes to stderr, whatever logger is given. */
export type McpStdioServeOptions = NonNullable<
  Parameters<typeof NestFactory.createApplicationContext>[1]
>;

/** Another pair of streams than those of the process, such as a socket's. */
export interface McpStdioStreams {
  /** Gives the bytes of the client. */
  readonly input: Readable;
  /** Takes the bytes for the client. */
  readonly output: Writable;
}

/**
 * Serves a client over stdin and stdout, a JSON-RPC message a line. The module needs
 * `McpModule.forRoot({ transports: ['stdio'] })`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export class McpStdio {
  /**
   * Starts the application, without an HTTP server, as the client's own process: it ends when the client
   * closes its side, or with SIGTERM or SIGINT.
   *
   * From the call on, stdout is the protocol's: what else is written there goes to stderr. So that this
   * holds for what is said while modules are imported, too, give it the promise of the module:
   * `McpStdio.serve(import('./app.module.js').then(({ AppModule }) => AppModule))`.
   * @throws InvalidOptionsException when no server of the application has `stdio` among its `transports`
   */
  static serve(
    module: EntryModule,
    options?: McpStdioServeOptions,
  ): Promise<INestApplicationContext> {
    return serveProcess(process, module, options);
  }

  /**
   * Serves a client from an application that runs already, over the streams of the process or others.
   * The application goes on when the client has gone.
   * @throws InvalidOptionsException when no server of the application has `stdio` among its `transports`
   */
  static connect(app: INestApplicationContext, streams?: McpStdioStreams): McpStdioConnection {
    const transport = transportOf(app);
    const connection =
      streams === undefined
        ? transport.connect(process.stdin, claimStdout(process.stdout, process.stderr))
        : transport.connect(streams.input, new LineWriter(streams.output));
    void connection.ended.then(() => connection.close());
    return connection;
  }
}

/** `McpStdio.serve`, of any process. */
export async function serveProcess(
  host: StdioHost,
  module: EntryModule,
  options?: McpStdioServeOptions,
): Promise<INestApplicationContext> {
  const output = claimStdout(host.stdout, host.stderr);
  const app = await NestFactory.createApplicationContext(
    module,
    Object.assign({ logger: new McpStdioLogger() }, options),
  );
  new StdioProcess(host, app, transportOf(app).connect(host.stdin, output));
  return app;
}

/** The one server of the application that may have stdio, or any, which says what is missing. */
function transportOf(app: INestApplicationContext): StdioTransport {
  const transports = declaredInstances(app.get(ModulesContainer), StdioTransport);
  const transport = transports.find(({ enabled }) => enabled) ?? transports[0];
  if (transport !== undefined) return transport;
  throw new InvalidOptionsException(
    'transports',
    'is nowhere: the application has no McpModule',
    'Import McpModule.forRoot({ transports: ["stdio"], … }) in its root module',
  );
}
