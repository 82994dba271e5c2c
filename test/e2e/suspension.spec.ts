import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Scope,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { catchError, defer, EMPTY, from, map, type Observable, of } from 'rxjs';
import {
  isSuspension,
  McpContext,
  McpElicitor,
  McpTool,
  McpToolContext,
  OutsideHandlerException,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, resultOf, stateOf, textOf } from '../support/wire.js';

const trace: string[] = [];
/** What became of questions that came too late. */
let afterwards: Promise<unknown> = Promise.resolve();

const ask = (ctx: McpToolContext): Promise<string> =>
  ctx
    .elicit('Sure?', (form) => form.boolean('yes'))
    .then((answer) => (answer.action === 'accept' ? `yes: ${answer.content.yes}` : answer.action));

@Catch()
class CatchAll implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): string {
    trace.push(`filter saw ${isSuspension(error) ? 'a suspension' : 'an error'}`);
    return 'caught by the filter';
  }
}

@Injectable()
class MapsValues implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((value: unknown) => {
        trace.push(`interceptor saw ${(value as { resultType?: string }).resultType ?? 'a value'}`);
        return { wrapped: value };
      }),
      catchError((error: unknown) => {
        trace.push(`interceptor caught ${isSuspension(error) ? 'a suspension' : 'an error'}`);
        return of('caught by the interceptor');
      }),
    );
  }
}

@Injectable()
class SwallowsValues implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map(() => undefined));
  }
}

@Injectable()
class EndsSilently implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(
      new Promise((resolve) => next.handle().subscribe({ complete: () => resolve(1) })),
    ).pipe(
      map(() => EMPTY),
      map(() => undefined),
    );
  }
}

@Injectable()
class ThrowsAfterwards implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map(() => {
        throw new Error('the interceptor is broken');
      }),
    );
  }
}

@Injectable()
class Handlers {
  constructor(private readonly elicitor: McpElicitor) {}

  @McpTool({ description: 'Swallows' })
  async swallows(@McpContext() ctx: McpToolContext): Promise<string> {
    try {
      return await ask(ctx);
    } catch (error) {
      return `swallowed ${(error as Error).name}`;
    }
  }

  @McpTool({ description: 'Swallows and throws' })
  async rethrowsAnother(@McpContext() ctx: McpToolContext): Promise<string> {
    try {
      return await ask(ctx);
    } catch {
      throw new Error('something else');
    }
  }

  @McpTool({ description: 'Releases' })
  async releases(@McpContext() ctx: McpToolContext): Promise<string> {
    trace.push('acquired');
    try {
      return await ask(ctx);
    } finally {
      await new Promise(setImmediate);
      trace.push('released');
    }
  }

  @McpTool({ description: 'Disposes' })
  async disposes(@McpContext() ctx: McpToolContext): Promise<string> {
    const lock = { [Symbol.asyncDispose]: async () => void trace.push('disposed') };
    try {
      return await ask(ctx);
    } finally {
      await lock[Symbol.asyncDispose]();
    }
  }

  @McpTool({ description: 'Caught by a filter' })
  @UseFilters(CatchAll)
  filtered(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx);
  }

  @McpTool({ description: 'Mapped' })
  @UseInterceptors(MapsValues)
  mapped(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx);
  }

  @McpTool({ description: 'Emptied' })
  @UseInterceptors(SwallowsValues)
  emptied(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx);
  }

  @McpTool({ description: 'Ends silently' })
  @UseInterceptors(EndsSilently)
  silent(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx);
  }

  @McpTool({ description: 'Throws afterwards' })
  @UseInterceptors(ThrowsAfterwards)
  throwsAfter(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx);
  }

  @McpTool({ description: 'Observable' })
  observable(@McpContext() ctx: McpToolContext): Observable<string> {
    return defer(() => from(ask(ctx)));
  }

  @McpTool({ description: 'A lazy Observable that asks through a service' })
  lazily(): Observable<string> {
    return defer(() =>
      from(this.elicitor.elicit('Sure?', (form) => form.boolean('yes'))).pipe(
        map((answer) =>
          answer.action === 'accept' ? `yes: ${answer.content.yes}` : answer.action,
        ),
      ),
    );
  }

  @McpTool({ description: 'Asks after it has settled' })
  async late(@McpContext() ctx: McpToolContext): Promise<string> {
    afterwards = new Promise((resolve) => setTimeout(resolve, 5)).then(() =>
      Promise.all([
        ask(ctx).catch((error: unknown) => error),
        this.elicitor
          .elicit('Through the service?', (form) => form.boolean('yes'))
          .catch((error: unknown) => error),
      ]),
    );
    return 'settled';
  }
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  @McpTool({ description: 'Request scoped' })
  scoped(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx);
  }
}

describe.each(adapters)('A suspension on %s', (_, adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      adapter,
      providers: [Handlers, Scoped],
      configure: (app) => app.useGlobalFilters(new CatchAll()),
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    trace.length = 0;
  });

  const retry = async (name: string): Promise<string | undefined> => {
    const first = await callTool(server.url, name);
    return textOf(
      await callTool(
        server.url,
        name,
        {},
        {
          requestState: stateOf(first),
          inputResponses: { 'elicit-1': { action: 'accept', content: { yes: true } } },
        },
      ),
    );
  };

  it.each([
    ['a handler that swallows the signal', 'swallows', 'yes: true'],
    ['a handler that throws another error over it', 'rethrowsAnother', 'yes: true'],
    ['finally', 'releases', 'yes: true'],
    ['disposal', 'disposes', 'yes: true'],
    ['a catch-all exception filter', 'filtered', 'yes: true'],
    ['an interceptor that maps values', 'mapped', '{"wrapped":"yes: true"}'],
    ['an Observable handler', 'observable', 'yes: true'],
    ['a lazy Observable that asks through a service', 'lazily', 'yes: true'],
    ['a request-scoped provider', 'scoped', 'yes: true'],
  ])('survives %s', async (__, name, text) => {
    const first = await callTool(server.url, name);
    expect(resultOf(first).resultType).toBe('input_required');
    expect(resultOf(first).inputRequests?.['elicit-1']?.params.message).toBe('Sure?');
    expect(await retry(name)).toBe(text);
  });

  it.each([['emptied'], ['silent'], ['throwsAfter']])(
    'survives an interceptor that loses it (%s)',
    async (name) => {
      const first = await callTool(server.url, name);
      expect(resultOf(first).resultType).toBe('input_required');
    },
  );

  it('lets finally and disposal run in every round, before the answer', async () => {
    await callTool(server.url, 'releases');
    expect(trace).toEqual(['acquired', 'released']);
    await callTool(server.url, 'disposes');
    expect(trace).toEqual(['acquired', 'released', 'disposed']);
  });

  it('is no error to filters and interceptors', async () => {
    await callTool(server.url, 'filtered');
    await callTool(server.url, 'mapped');
    expect(trace).toEqual(['interceptor saw input_required']);
  });

  it('is refused after the handler has settled', async () => {
    expect(textOf(await callTool(server.url, 'late'))).toBe('settled');
    expect(await afterwards).toEqual([
      expect.any(OutsideHandlerException),
      expect.any(OutsideHandlerException),
    ]);
  });

  it('is refused outside of any handler', async () => {
    const elicitor = await server.app.resolve(McpElicitor);
    await expect(elicitor.elicit('Now?', (form) => form.boolean('yes'))).rejects.toThrow(
      /elicit\(\) was called where no handler is running/,
    );
  });

  it('leaves no trace in the log but that of the broken interceptor', () => {
    const errors = server.logs.filter(({ level }) => level === 'error');
    expect(errors.filter(({ text }) => !text.includes('the interceptor is broken'))).toEqual([]);
  });
});
