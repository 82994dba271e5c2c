import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { InvalidOptionsException } from '../../exceptions/index.js';
import type { McpHeaders } from '../../exchange/index.js';
import { DEFAULT_SERVER } from '../../mcp.constants.js';
import { declaredInstances } from '../../options/index.js';
import type { McpInProcessConnection } from './in-process.connection.js';
import { InProcessTransport } from './in-process.transport.js';

/** Where the requests of a client in this process come from. */
export interface McpInProcessOptions {
  /** `name` of the server, where the application has several. */
  readonly server?: string;
  /** What principal sources and guards read as headers; names in lower case. */
  readonly headers?: McpHeaders;
  /** What they find in place of the adapter's request. */
  readonly request?: unknown;
  /**
   * For tests: plays each round again from the top after each answer and each step, as if a question
   * stood there. What is not in a step is then done as often as it can ever be, and a handler that takes
   * another way when it is played again fails with `DivergedReplayException`.
   */
  readonly rehearse?: boolean;
}

/**
 * Calls a server from within its process, without a socket: guards, pipes, replay and results are those
 * of any other client. For tests (`@dacapo/testing` builds on it), and for applications whose own code
 * is a client of their tools.
 */
export class McpInProcess {
  /**
   * The application may have an HTTP server or not; it must be initialised.
   * @throws InvalidOptionsException when the application has no such server
   */
  static connect(
    app: INestApplicationContext,
    {
      server = DEFAULT_SERVER,
      headers = {},
      request,
      rehearse: rehearsed = false,
    }: McpInProcessOptions = {},
  ): McpInProcessConnection {
    const transports = declaredInstances(app.get(ModulesContainer), InProcessTransport);
    const transport = transports.find((candidate) => candidate.server === server);
    if (transport !== undefined) return transport.connect({ headers, request, rehearsed });
    const names = transports.map((candidate) => JSON.stringify(candidate.server)).join(', ');
    throw new InvalidOptionsException(
      'server',
      `is ${JSON.stringify(server)}, and the application has ${names === '' ? 'no McpModule' : names}`,
      names === ''
        ? 'Import McpModule.forRoot(…) in its root module'
        : 'Give the name of one of them',
    );
  }
}
