import {
  Controller,
  Inject,
  Injectable,
  type ModuleMetadata,
  Module,
  Scope,
  type Type,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import {
  McpChangeBus,
  MCP_CLOCK,
  McpHandler,
  McpModule,
  type McpModuleExtras,
  McpPrincipalSource,
  McpRegistry,
  McpTool,
  McpVisibility,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { SECRET, startServer, type TestServerOptions } from '../support/test-server.js';
import { callTool, textOf } from '../support/wire.js';

/** Boots an application, and returns why it would not. */
async function complaint(options: TestServerOptions): Promise<string> {
  try {
    const server = await startServer(options);
    await server.close();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error('it booted');
}

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  readonly name: string = 'acme';
}

@Injectable({ scope: Scope.REQUEST })
class ScopedVisibility extends McpVisibility {
  override isVisible(): boolean {
    return true;
  }
}

@Injectable()
class TenantVisibility extends McpVisibility {
  constructor(private readonly tenant: Tenant) {
    super();
  }

  override isVisible(): boolean {
    return this.tenant.name === 'acme';
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class DurableSource extends McpPrincipalSource {
  override currentPrincipal(): string {
    return 'ada';
  }
}

@Injectable()
class RequestSource extends McpPrincipalSource {
  @Inject(REQUEST) private readonly request!: unknown;

  override currentPrincipal(): string {
    return String(this.request);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedBus extends McpChangeBus {
  override publish(): void {
    // Nobody is told.
  }

  override subscribe(): () => void {
    return () => undefined;
  }
}

@Module({ providers: [Tenant], exports: [Tenant] })
class TenantModule {}

const GIVEN = 'Make it a singleton; it is given the exchange of every request.';

describe.each(adapters)('Something request-scoped in a seam stops the boot on %s', (_, adapter) => {
  it.each<[string, McpModuleExtras, string]>([
    [
      'a visibility',
      { visibility: { useClass: ScopedVisibility } },
      `McpModule option visibility is ScopedVisibility, which is request-scoped, so that the server would never be made. ${GIVEN}`,
    ],
    [
      'what a visibility depends on',
      { visibility: { useClass: TenantVisibility, imports: [TenantModule] } },
      `McpModule option visibility depends on Tenant, which is request-scoped, so that the server would never be made. ${GIVEN}`,
    ],
    [
      'a durable principal source',
      { principalSource: { useClass: DurableSource } },
      `McpModule option principalSource is DurableSource, which is request-scoped, so that the server would never be made. ${GIVEN}`,
    ],
    [
      'the request',
      { principalSource: { useClass: RequestSource } },
      `McpModule option principalSource depends on REQUEST, which is request-scoped, so that the server would never be made. ${GIVEN}`,
    ],
    [
      'a change bus',
      { changeBus: { useClass: ScopedBus } },
      'McpModule option changeBus is ScopedBus, which is request-scoped, so that the server would never be made. Make it a singleton; changes belong to no request.',
    ],
  ])('%s', async (_what, mcp, message) => {
    expect(await complaint({ adapter, mcp })).toBe(`InvalidOptionsException: ${message}`);
  });

  it('of one server among several', async () => {
    const imports: ModuleMetadata['imports'] = [
      McpModule.forRoot({
        name: 'admin',
        path: '/admin',
        server: { name: 'admin', version: '1.0.0' },
        replay: { secret: SECRET },
        visibility: { useClass: ScopedVisibility },
      }),
    ];
    expect(await complaint({ adapter, imports })).toContain('visibility is ScopedVisibility');
  });

  it('what the options are made of', async () => {
    @Module({
      imports: [
        McpModule.forRootAsync({
          imports: [TenantModule],
          inject: [Tenant],
          useFactory: ({ name }: Tenant) => ({ server: { name, version: '1.0.0' } }),
        }),
      ],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, adapter(), { logger: false });
    await expect(app.init()).rejects.toThrow(
      'McpModule option useFactory (or useClass, useExisting) depends on Tenant, which is request-scoped, so that the server would never be made. Make it a singleton; options are read once, when the application starts.',
    );
    await app.close();
  });

  it('what a provider was replaced by', async () => {
    const override: TestServerOptions['override'] = (builder) =>
      void builder
        .overrideProvider(MCP_CLOCK)
        .useFactory({ inject: [REQUEST], factory: () => Date.now });
    expect(await complaint({ adapter, override })).toContain(
      'McpModule option providers depends on REQUEST, which is request-scoped',
    );
  });
});

@Injectable()
class Numbers {
  readonly seven = 7;
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientTools {
  constructor(private readonly numbers: Numbers) {}

  @McpTool()
  seven(): string {
    return String(this.numbers.seven);
  }

  @McpHandler()
  added(): string {
    return String(this.numbers.seven);
  }
}

@Controller({ path: 'numbers', scope: Scope.TRANSIENT })
class TransientController {
  constructor(private readonly numbers: Numbers) {}

  @McpTool()
  seven(): string {
    return String(this.numbers.seven);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TenantTools {
  constructor(private readonly tenant: Tenant) {}

  @McpTool()
  who(): string {
    return this.tenant.name;
  }
}

describe.each(adapters)('Handlers of a transient provider on %s', (_, adapter) => {
  it.each<[string, Type<object>, 'providers' | 'controllers']>([
    ['TransientTools', TransientTools, 'providers'],
    ['TransientController', TransientController, 'controllers'],
  ])('stop the boot: nobody makes an instance (%s)', async (name, classRef, collection) => {
    const imports: ModuleMetadata['imports'] = [];
    expect(
      await complaint({
        adapter,
        imports,
        providers: [Numbers, ...(collection === 'providers' ? [classRef] : [])],
        controllers: collection === 'controllers' ? [classRef] : [],
      }),
    ).toContain(`HandlerDefinitionException: ${name}.seven: `);
  });

  it('run on an instance for each request where something request-scoped belongs to them', async () => {
    const server = await startServer({ adapter, providers: [Tenant, TenantTools] });
    expect(textOf(await callTool(server.url, 'who'))).toBe('acme');
    await server.close();
  });

  it('are refused at run time, too', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Later {
      @McpHandler()
      run(): string {
        return 'never';
      }
    }
    const server = await startServer({ adapter, providers: [Later] });
    expect(() => server.app.get(McpRegistry).addTool({ name: 'run' }, Later, 'run')).toThrow(
      'Later.run: its class is transient',
    );
    await server.close();
  });
});
