import { type DynamicModule, Inject, Injectable, type Provider, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  extendTool,
  McpExtension,
  type McpExtensionMethod,
  McpModule,
  McpTool,
  type McpToolTaker,
} from '@dacapo/mcp';

const attached: string[] = [];

@Injectable()
class Jobs extends McpExtension {
  override readonly identifier: string = 'a/jobs';

  override attach(): void {
    attached.push(this.identifier);
  }

  override extendTool(): McpToolTaker {
    return { take: () => ({ resultType: 'complete' }) };
  }
}

@Injectable()
class OtherJobs extends Jobs {
  override readonly identifier = 'a/other-jobs';
}

@Injectable()
class ForeignJobs extends Jobs {
  override readonly server = 'admin';
}

@Injectable()
class StealsAMethod extends Jobs {
  override get methods(): readonly McpExtensionMethod[] {
    return [{ name: 'tools/call', handle: () => ({ resultType: 'complete' }) }];
  }
}

@Injectable()
class Refuses extends Jobs {
  override attach(): void {
    throw new Error('Jobs need a database');
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedJobs extends Jobs {
  constructor(@Inject(REQUEST) readonly request: unknown) {
    super();
  }
}

@Injectable()
class TwiceExtended {
  @extendTool('Job', 'a/jobs', {})
  @extendTool('OtherJob', 'a/other-jobs', {})
  @McpTool()
  work(): string {
    return '';
  }
}

const server = { name: 'books', version: '1.0.0' };
const books = McpModule.forRoot({ server });
const admin = McpModule.forRoot({ name: 'admin', path: '/admin', server });

async function boot(...providers: Provider[]): Promise<void> {
  await bootWith([books], providers);
}

async function bootWith(imports: DynamicModule[], providers: Provider[]): Promise<void> {
  const module = await Test.createTestingModule({ imports, providers }).compile();
  const app = module.createNestApplication({ logger: false });
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

beforeEach(() => {
  attached.length = 0;
});

describe('The boot with an extension', () => {
  it('attaches it once, though it has several names, and to its server', async () => {
    await bootWith([books], [Jobs, { provide: 'the same', useExisting: Jobs }]);
    expect(attached).toEqual(['a/jobs']);
    await bootWith([books, admin], [Jobs, ForeignJobs]);
    expect(attached).toEqual(['a/jobs', 'a/jobs', 'a/jobs']);
  });

  it.each<[string, string, Provider[]]>([
    [
      'that is request-scoped',
      'has the extension ScopedJobs, which is request-scoped',
      [ScopedJobs],
    ],
    ['for a server that is not there', 'for the server "admin"', [Jobs, ForeignJobs]],
    [
      'that is there twice',
      'has the extension a/jobs twice',
      [Jobs, { provide: 'x', useClass: Jobs }],
    ],
    ['whose method is there', 'tools/call', [StealsAMethod]],
    ['that refuses', 'Jobs need a database', [Refuses]],
    [
      'and another one for the same tool',
      'several extensions would answer its calls',
      [Jobs, OtherJobs, TwiceExtended],
    ],
  ])('stops with one %s', async (_, message, providers) => {
    await expect(boot(...providers)).rejects.toThrow(message);
  });
});
