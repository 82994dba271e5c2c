import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  Inject,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  type PipeTransform,
  Scope,
  SetMetadata,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, ContextIdFactory, REQUEST, Reflector } from '@nestjs/core';
import {
  EMPTY,
  firstValueFrom,
  ignoreElements,
  map,
  type Observable,
  of,
  retry,
  tap,
  timeout,
} from 'rxjs';
import { IsString } from 'class-validator';
import {
  exchangeOf,
  InvalidParamsException,
  McpArg,
  McpArgs,
  McpContext,
  type McpContextType,
  McpExchange,
  McpExecutionContext,
  McpPrincipal,
  McpPrincipalSource,
  McpResource,
  McpSignal,
  McpTool,
  McpToolContext,
  McpToolException,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, textOf } from '../support/wire.js';

const trace: string[] = [];

function guard(name: string, allow = true): new () => CanActivate {
  @Injectable()
  class NamedGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      trace.push(`guard ${name} (${context.getType<McpContextType>()})`);
      return allow;
    }
  }
  return NamedGuard;
}

function interceptor(name: string): new () => NestInterceptor {
  @Injectable()
  class NamedInterceptor implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
      trace.push(`before ${name}`);
      return next
        .handle()
        .pipe(tap((value) => trace.push(`after ${name}: ${JSON.stringify(value)}`)));
    }
  }
  return NamedInterceptor;
}

class NamedPipe implements PipeTransform {
  constructor(private readonly name: string) {}

  transform(value: unknown): unknown {
    if (typeof value === 'string') trace.push(`pipe ${this.name}`);
    return value;
  }
}

const ClientName = createParamDecorator((suffix: string, context: ExecutionContext): string => {
  const { client } = McpExecutionContext.create(context).getExchange();
  return `${client.info?.name ?? 'somebody'}${suffix}`;
});

const Roles = (...roles: string[]): MethodDecorator => SetMetadata('roles', roles);

/** A guard whose context tells everything it may need. */
@Injectable()
class InquisitiveGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const mcp = McpExecutionContext.create(context);
    const { kind, name } = mcp.getHandlerInfo();
    const roles = this.reflector.get<string[]>('roles', context.getHandler());
    trace.push(
      [
        kind,
        name,
        context.getClass().name,
        JSON.stringify(roles),
        JSON.stringify(mcp.getArguments()),
        mcp.getExchange().method,
      ].join(' '),
    );
    return true;
  }
}

class Named {
  @IsString()
  name!: string;
}

@Injectable()
@UseGuards(guard('class'))
@UseInterceptors(interceptor('class'))
class Layers {
  @McpTool({ description: 'Every layer', input: Named })
  @UseGuards(guard('method'))
  @UseInterceptors(interceptor('method'))
  layered(@McpArg('name', new NamedPipe('param')) name: string): string {
    trace.push('handler');
    return name;
  }

  @McpTool({ description: 'Refused' })
  @UseGuards(guard('refuses', false))
  refused(): string {
    trace.push('handler');
    return 'never';
  }

  @McpTool({ description: 'Inspected', input: Named })
  @Roles('admin')
  @UseGuards(InquisitiveGuard)
  inspected(@McpArgs() args: Named): string {
    return args.name;
  }
}

@Injectable()
class Params {
  @McpTool({ description: 'All parameters', input: Named })
  all(
    @ClientName('!') client: string,
    @McpArgs() args: Named,
    @McpArg('name') name: string,
    @McpContext() ctx: McpToolContext,
    @McpPrincipal() principal: string | null,
    @McpSignal() signal: AbortSignal,
  ): string[] {
    return [
      client,
      args.constructor.name,
      name,
      ctx.constructor.name,
      String(principal),
      String(signal.aborted),
    ];
  }
}

/** Throws whatever is asked of it. */
@Injectable()
class Failing {
  @McpTool({ description: 'Fails', input: Named })
  fail(@McpArg('name') name: string): never {
    switch (name) {
      case 'tool':
        throw new McpToolException('Out of stock', {
          content: [{ type: 'text', text: 'Try tomorrow' }],
          structuredContent: { left: 0 },
        });
      case 'http':
        throw new NotFoundException('No such account');
      case 'list':
        throw new HttpException({ message: ['a is wrong', 'b is wrong'] }, 400);
      case 'status':
        throw new HttpException({ code: 7 }, 409);
      default:
        throw new Error('connection to /var/run/db.sock refused for user root');
    }
  }

  @McpResource({ uriTemplate: 'fail://{name}' })
  read(@McpArg('name') name: string): string {
    if (name === 'missing') throw new NotFoundException('No such page');
    if (name === 'forbidden') throw new ForbiddenException('Not yours');
    if (name === 'down') throw new HttpException('The store is down', 503);
    throw new Error('secret detail');
  }
}

describe.each(adapters)('The Nest pipeline on %s', (_, adapter) => {
  let server: TestServer | undefined;
  const start = async (options: Parameters<typeof startServer>[0]): Promise<string> => {
    server = await startServer({ adapter, ...options });
    return server.url;
  };
  beforeEach(() => {
    trace.length = 0;
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('runs guards, interceptors and pipes of every level in Nest’s order', async () => {
    const url = await start({
      providers: [
        Layers,
        { provide: APP_GUARD, useClass: guard('app') },
        { provide: APP_INTERCEPTOR, useClass: interceptor('app') },
      ],
      configure: (app) => {
        app.useGlobalGuards(new (guard('global'))());
        app.useGlobalInterceptors(new (interceptor('global'))());
        app.useGlobalPipes(new NamedPipe('global'));
      },
    });
    expect(textOf(await callTool(url, 'layered', { name: 'x' }))).toBe('x');
    expect(trace).toEqual([
      'guard app (mcp)',
      'guard global (mcp)',
      'guard class (mcp)',
      'guard method (mcp)',
      'before app',
      'before global',
      'before class',
      'before method',
      'pipe global',
      'pipe param',
      'handler',
      'after method: "x"',
      'after class: "x"',
      'after global: "x"',
      'after app: "x"',
    ]);
  });

  it('applies what app.useGlobal…() adds between init() and listen()', async () => {
    const url = await start({
      providers: [Layers],
      afterInit: (app) => app.useGlobalGuards(new (guard('late', false))()),
    });
    const response = await callTool(url, 'layered', { name: 'x' });
    expect(response.status).toBe(403);
    expect(trace).toEqual(['guard late (mcp)']);
  });

  it('answers a refusal of a guard with 403, before state and arguments are looked at', async () => {
    const url = await start({ providers: [Layers] });
    const response = await callTool(
      url,
      'refused',
      { unexpected: 1 },
      { requestState: 'forged', inputResponses: { x: 1 } },
    );
    expect(response.status).toBe(403);
    expect(errorOf(response)).toEqual({ code: 403, message: 'Forbidden resource' });
    expect(trace).not.toContain('handler');
  });

  it('tells a guard kind, name, class, metadata, arguments and method', async () => {
    const url = await start({ providers: [Layers] });
    await callTool(url, 'inspected', { name: 'x' });
    expect(trace).toContain('tool inspected Layers ["admin"] {"name":"x"} tools/call');
  });

  it('injects every kind of parameter, the user’s own included', async () => {
    const url = await start({ providers: [Params] });
    const response = await callTool(url, 'all', { name: 'x' });
    expect(resultOf(response).structuredContent).toEqual([
      'wire!',
      'Named',
      'x',
      'McpToolContext',
      'null',
      'false',
    ]);
  });

  it('keeps injected parameters out of the schema', async () => {
    const url = await start({ providers: [Params] });
    const { tools } = resultOf(await send(url, 'tools/list')) as unknown as {
      tools: { inputSchema: { properties: object } }[];
    };
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['name']);
  });

  it('lets a global ValidationPipe have its say', async () => {
    const url = await start({
      providers: [Layers],
      configure: (app) => app.useGlobalPipes(new ValidationPipe({ transform: true })),
    });
    expect(textOf(await callTool(url, 'inspected', { name: 'x' }))).toBe('x');
    const bad = resultOf(await callTool(url, 'inspected', { name: 1 }));
    expect(bad.isError).toBe(true);
  });

  describe('errors', () => {
    it.each([
      ['tool', 'Out of stock'],
      ['http', 'No such account'],
      ['list', 'a is wrong; b is wrong'],
      ['status', 'Http Exception'],
      ['unknown', 'The tool failed unexpectedly. The details are in the log of the server.'],
    ])('of a tool are for the model: %s', async (name, text) => {
      const url = await start({ providers: [Failing] });
      const response = await callTool(url, 'fail', { name });
      expect(response.status).toBe(200);
      expect(resultOf(response).isError).toBe(true);
      expect(textOf(response)).toBe(text);
    });

    it('of McpToolException carry content and structure', async () => {
      const url = await start({ providers: [Failing] });
      expect(resultOf(await callTool(url, 'fail', { name: 'tool' }))).toMatchObject({
        content: [
          { type: 'text', text: 'Out of stock' },
          { type: 'text', text: 'Try tomorrow' },
        ],
        structuredContent: { left: 0 },
        isError: true,
      });
    });

    it('that nobody expected are logged once, with their stack, and masked', async () => {
      const url = await start({ providers: [Failing] });
      const { text } = await callTool(url, 'fail', { name: 'unknown' });
      expect(text).not.toContain('db.sock');
      const errors = server?.logs.filter(({ level }) => level === 'error') ?? [];
      expect(errors).toHaveLength(1);
      expect(errors[0]?.text).toContain('db.sock');
    });

    it('that authors meant to show are not logged', async () => {
      const url = await start({ providers: [Failing] });
      for (const name of ['tool', 'http', 'list']) await callTool(url, 'fail', { name });
      await callTool(url, 'fail', {});
      expect(server?.logs.filter(({ level }) => level === 'error')).toEqual([]);
    });

    it('are shown in development', async () => {
      const url = await start({ providers: [Failing], mcp: { exposeErrors: true } });
      expect(textOf(await callTool(url, 'fail', { name: 'unknown' }))).toContain('db.sock');
      const { message } = errorOf(await send(url, 'resources/read', { uri: 'fail://other' }));
      expect(message).toBe('secret detail');
    });

    it.each([
      ['missing', 400, -32602, 'Resource not found: fail://missing'],
      ['forbidden', 400, -32602, 'Not yours'],
      ['down', 500, -32603, 'The store is down'],
      ['other', 500, -32603, 'Internal error'],
    ])('of a resource are errors of the protocol: %s', async (name, status, code, message) => {
      const url = await start({ providers: [Failing] });
      const response = await send(url, 'resources/read', { uri: `fail://${name}` });
      expect(response.status).toBe(status);
      expect(errorOf(response)).toMatchObject({ code, message });
      if (code === -32602) expect(errorOf(response).data).toEqual({ uri: `fail://${name}` });
    });
  });

  describe('exception filters', () => {
    @Catch(RangeError)
    class RangeFilter implements ExceptionFilter {
      catch(error: RangeError, host: ArgumentsHost): string {
        return `${error.message} in ${exchangeOf(host).method}`;
      }
    }

    @Injectable()
    class Ranges {
      @McpTool({ description: 'Out of range' })
      @UseFilters(RangeFilter)
      range(): never {
        throw new RangeError('too far');
      }
    }

    it('turn an error into a result', async () => {
      const url = await start({ providers: [Ranges] });
      expect(textOf(await callTool(url, 'range'))).toBe('too far in tools/call');
    });

    it('are global when the application says so', async () => {
      const url = await start({
        providers: [Failing],
        configure: (app) => {
          @Catch()
          class Everything implements ExceptionFilter {
            catch(): string {
              return 'caught';
            }
          }
          app.useGlobalFilters(new Everything());
        },
      });
      expect(textOf(await callTool(url, 'fail', { name: 'unknown' }))).toBe('caught');
    });
  });

  describe('request scope', () => {
    @Injectable({ scope: Scope.REQUEST })
    class Ticket {
      static count = 0;
      readonly number = (Ticket.count += 1);

      constructor(@Inject(REQUEST) readonly exchange: McpExchange) {}
    }

    @Injectable()
    class Counter {
      constructor(private readonly ticket: Ticket) {}

      @McpTool({ description: 'Has a provider of the request' })
      async ticketOf(@McpContext() ctx: McpToolContext): Promise<string> {
        const first = this.ticket.number;
        const answer = await ctx.elicit('Go on?', (form) => form.boolean('yes'));
        return `${first === this.ticket.number} ${answer.action} ${this.ticket.exchange.method}`;
      }
    }

    @Injectable({ scope: Scope.REQUEST })
    class ScopedGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly exchange: McpExchange | undefined) {}

      canActivate(): boolean {
        trace.push(`scoped guard of ${String(this.exchange?.method)}`);
        return this.exchange?.headers['x-pass'] === 'yes';
      }
    }

    it('makes providers anew for every round', async () => {
      Ticket.count = 0;
      const url = await start({ providers: [Counter, Ticket] });
      const first = await callTool(url, 'ticketOf');
      const second = await callTool(
        url,
        'ticketOf',
        {},
        {
          requestState: resultOf(first).requestState,
          inputResponses: { 'elicit-1': { action: 'accept', content: { yes: true } } },
        },
      );
      expect(textOf(second)).toBe('true accept tools/call');
      expect(Ticket.count).toBe(2);
    });

    it('runs a request-scoped global guard before a static provider’s tool', async () => {
      const url = await start({
        providers: [Layers, { provide: APP_GUARD, useClass: ScopedGuard, scope: Scope.REQUEST }],
      });
      expect((await callTool(url, 'layered', { name: 'x' })).status).toBe(403);
      const passed = await callTool(
        url,
        'layered',
        { name: 'x' },
        {},
        { headers: { 'x-pass': 'yes' } },
      );
      expect(textOf(passed)).toBe('x');
      expect(trace.filter((line) => line.startsWith('scoped'))).toEqual([
        'scoped guard of tools/call',
        'scoped guard of tools/call',
      ]);
    });

    it('shares the instances of one request', async () => {
      @Injectable()
      class Twice {
        constructor(
          private readonly a: Ticket,
          private readonly b: Ticket,
        ) {}

        @McpTool({ description: 'Compares' })
        same(): boolean {
          return this.a === this.b;
        }
      }
      const url = await start({ providers: [Twice, Ticket] });
      expect(resultOf(await callTool(url, 'same')).structuredContent).toBe(true);
    });

    it('logs and masks a provider that cannot be made', async () => {
      @Injectable({ scope: Scope.REQUEST })
      class Broken {
        constructor() {
          throw new Error('no pool');
        }

        @McpTool({ description: 'Never runs' })
        never(): void {
          trace.push('handler');
        }
      }
      const url = await start({ providers: [Broken] });
      const response = await callTool(url, 'never');
      expect(response.status).toBe(500);
      expect(errorOf(response)).toEqual({ code: -32603, message: 'Internal error' });
      expect(server?.logs.filter(({ text }) => text.includes('no pool'))).toHaveLength(1);
    });

    it('serves durable providers', async () => {
      const tenants = new Map<string, { id: number }>();
      ContextIdFactory.apply({
        attach(contextId, request: unknown) {
          const tenant = String((request as McpExchange).headers['x-tenant'] ?? 'none');
          const parent = tenants.get(tenant) ?? { id: tenants.size + 1 };
          tenants.set(tenant, parent);
          return {
            resolve: (info) => (info.isTreeDurable ? parent : contextId),
            payload: { tenant },
          };
        },
      });
      @Injectable({ scope: Scope.REQUEST, durable: true })
      class Tenant {
        static made = 0;
        constructor(@Inject(REQUEST) private readonly payload: { tenant: string }) {
          Tenant.made += 1;
        }

        @McpTool({ description: 'Whose' })
        whose(): string {
          return this.payload.tenant;
        }
      }
      const url = await start({ providers: [Tenant] });
      const as = async (tenant: string): Promise<string | undefined> =>
        textOf(await callTool(url, 'whose', {}, {}, { headers: { 'x-tenant': tenant } }));
      expect([await as('a'), await as('b'), await as('a')]).toEqual(['a', 'b', 'a']);
      expect(Tenant.made).toBe(2);
      (ContextIdFactory as unknown as { strategy?: unknown }).strategy = undefined;
    });
  });

  describe('handlers on a controller', () => {
    @Controller('things')
    @UseGuards(guard('controller'))
    class ThingsController {
      @Get()
      @McpTool({ description: 'Over both' })
      list(): string {
        return 'things';
      }

      @McpTool({ description: 'Guarded' })
      @UseGuards(guard('never', false))
      guarded(): string {
        return 'never';
      }
    }

    it('run with the guards of the controller and the method', async () => {
      const url = await start({ controllers: [ThingsController] });
      expect(textOf(await callTool(url, 'list'))).toBe('things');
      expect(trace).toEqual(['guard controller (mcp)']);
      expect((await callTool(url, 'guarded')).status).toBe(403);
    });

    it('still answer over plain HTTP', async () => {
      const url = await start({ controllers: [ThingsController] });
      const response = await fetch(new URL('/things', url));
      expect(await response.text()).toBe('things');
      expect(trace).toEqual(['guard controller (http)']);
    });
  });

  describe('a principal source', () => {
    @Injectable()
    class HeaderSource extends McpPrincipalSource {
      override currentPrincipal(exchange: McpExchange): string | null {
        const name = exchange.headers['x-user'];
        if (name === 'eve') throw new UnauthorizedException('Unknown token');
        if (name === 'bug') throw new Error('directory down at ldap://10.0.0.1');
        return typeof name === 'string' ? name : null;
      }
    }

    it('is asked before anything is looked up', async () => {
      const url = await start({
        providers: [Params],
        mcp: { principalSource: { useClass: HeaderSource } },
      });
      const as = (user: string, name = 'all'): ReturnType<typeof callTool> =>
        callTool(url, name, { name: 'x' }, {}, { headers: { 'x-user': user } });
      expect(resultOf(await as('ada')).structuredContent).toContain('ada');
      const refused = await as('eve', 'no such tool');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      expect(errorOf(refused)).toEqual({ code: 401, message: 'Unknown token' });
      const broken = await as('bug');
      expect(broken.status).toBe(500);
      expect(broken.text).not.toContain('ldap');
      expect(server?.logs.some(({ text }) => text.includes('ldap'))).toBe(true);
    });

    it('may be a factory with dependencies of its own', async () => {
      const url = await start({
        providers: [Params],
        mcp: {
          principalSource: {
            useFactory: (reflector: Reflector) => ({
              currentPrincipal: () => (reflector instanceof Reflector ? 'by factory' : null),
            }),
            inject: [Reflector],
          },
        },
      });
      expect(resultOf(await callTool(url, 'all', { name: 'x' })).structuredContent).toContain(
        'by factory',
      );
    });
  });

  it('takes the end of an interceptor without a value for a handler without one', async () => {
    @Injectable()
    class Silent implements NestInterceptor {
      intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(ignoreElements());
      }
    }
    @Injectable()
    class Quiet {
      @McpTool({ description: 'Says nothing' })
      @UseInterceptors(Silent)
      quiet(): string {
        trace.push('handler');
        return 'unheard';
      }
    }
    const url = await start({ providers: [Quiet] });
    expect(resultOf(await callTool(url, 'quiet')).content).toEqual([]);
    expect(trace).toEqual(['handler']);
    expect(server?.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('takes a guard or an interceptor that ends without a word for a refusal', async () => {
    @Injectable()
    class EmptyGuard implements CanActivate {
      canActivate(): Observable<boolean> {
        return EMPTY;
      }
    }
    @Injectable()
    class Closed implements NestInterceptor {
      intercept(): Observable<unknown> {
        return EMPTY;
      }
    }
    @Injectable()
    class Shut {
      @McpTool({ description: 'Guarded' })
      @UseGuards(EmptyGuard)
      guarded(): void {
        trace.push('handler');
      }

      @McpTool({ description: 'Intercepted' })
      @UseInterceptors(Closed)
      intercepted(): void {
        trace.push('handler');
      }
    }
    const url = await start({ providers: [Shut] });
    expect((await callTool(url, 'guarded')).status).toBe(403);
    expect((await callTool(url, 'intercepted')).status).toBe(403);
    expect(trace).toEqual([]);
  });

  it('takes an EmptyError of the handler for the failure it is', async () => {
    @Injectable()
    class Charges {
      @McpTool({ description: 'Awaits nothing' })
      async charge(): Promise<string> {
        await firstValueFrom(EMPTY);
        return 'charged';
      }
    }
    const url = await start({ providers: [Charges] });
    expect(resultOf(await callTool(url, 'charge')).isError).toBe(true);
    expect(server?.logs.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('keeps guards and validation of a method that the instance has replaced', async () => {
    @Injectable()
    class Bound {
      constructor() {
        this.secret = this.secret.bind(this);
        this.named = this.named.bind(this);
        this.asking = this.asking.bind(this);
      }

      @McpTool({ description: 'Guarded' })
      @UseGuards(guard('bound', false))
      secret(): string {
        return 'leaked';
      }

      @McpTool({ description: 'Validated' })
      named(@McpArgs() args: Named): string {
        return args.constructor.name;
      }

      @McpTool({ description: 'Asks' })
      async asking(@McpContext() ctx: McpToolContext): Promise<string> {
        return (await ctx.elicit('Sure?', (form) => form.boolean('yes'))).action;
      }
    }
    const url = await start({ providers: [Bound] });
    expect((await callTool(url, 'secret')).status).toBe(403);
    expect(resultOf(await callTool(url, 'named', { name: 5 })).isError).toBe(true);
    expect(textOf(await callTool(url, 'named', { name: 'x' }))).toBe('Named');
    expect(resultOf(await callTool(url, 'asking')).resultType).toBe('input_required');
  });

  it('reads the answer from the attempt an interceptor has settled for', async () => {
    let attempts = 0;
    let release = (): void => undefined;
    @Injectable()
    class Retries implements NestInterceptor {
      intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(timeout({ first: 30 }), retry(1));
      }
    }
    @Injectable()
    class Slow {
      @McpTool({ description: 'Slow at first' })
      @UseInterceptors(Retries)
      async slow(@McpContext() ctx: McpToolContext): Promise<string> {
        attempts += 1;
        if (attempts > 1) {
          // The abandoned attempt asks its question before this one is done.
          release();
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
          return 'second';
        }
        await new Promise<void>((resolve) => (release = resolve));
        return (await ctx.elicit('Too late?', (form) => form.boolean('yes'))).action;
      }
    }
    const url = await start({ providers: [Slow] });
    expect(textOf(await callTool(url, 'slow'))).toBe('second');
  });

  it.each([
    [101, 500],
    [204, 500],
    [9999, 500],
    [429, 429],
  ])('answers a guard’s HttpException of %i with %i', async (status, answered) => {
    @Injectable()
    class Odd implements CanActivate {
      canActivate(): never {
        throw new HttpException('odd', status);
      }
    }
    const url = await start({ providers: [Layers, { provide: APP_GUARD, useClass: Odd }] });
    expect((await callTool(url, 'layered', { name: 'x' })).status).toBe(answered);
  });

  it('answers with its id even when the data of an error is no JSON', async () => {
    @Injectable()
    class Cyclic {
      @McpTool({ description: 'Fails with a BigInt' })
      fail(): never {
        throw new InvalidParamsException('no', { big: 1n });
      }
    }
    const url = await start({ providers: [Cyclic] });
    const response = await callTool(url, 'fail', {}, {}, { id: 'mine' });
    expect(response.body).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      error: { code: -32602, message: 'no' },
    });
  });

  it('refuses a principal that is no text', async () => {
    const currentPrincipal = (): never => ({ id: 7 }) as never;
    const url = await start({
      providers: [Params],
      mcp: { principalSource: { useFactory: () => ({ currentPrincipal }) } },
    });
    expect((await callTool(url, 'all', { name: 'x' })).status).toBe(500);
    expect(
      server?.logs.some(({ text }) => text.includes('The principal source answered with object')),
    ).toBe(true);
  });

  it('waits for the last value of an Observable handler, or for none', async () => {
    @Injectable()
    class Streams {
      @McpTool({ description: 'Several values' })
      several(): Observable<string> {
        return of(1, 2, 3).pipe(map((n) => `value ${n}`));
      }

      @McpTool({ description: 'No value' })
      none(): Observable<never> {
        return EMPTY;
      }
    }
    const url = await start({ providers: [Streams] });
    expect(textOf(await callTool(url, 'several'))).toBe('value 3');
    expect(resultOf(await callTool(url, 'none')).content).toEqual([]);
  });

  it('serves one class in several applications of a process', async () => {
    const url = await start({ providers: [Layers] });
    const other = await startServer({ adapter, providers: [Layers], mcp: { replay: {} } });
    expect(textOf(await callTool(url, 'layered', { name: 'x' }))).toBe('x');
    expect(textOf(await callTool(other.url, 'layered', { name: 'y' }))).toBe('y');
    await other.close();
    expect(textOf(await callTool(url, 'layered', { name: 'z' }))).toBe('z');
  });
});
