import { Module, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { InvalidOptionsException, McpModule, McpServer } from '@dacapo/mcp';
import { collect, type LogLine } from '../support/test-server.js';

class Named {}

describe('The module stops the boot', () => {
  async function refusal(...imports: NonNullable<ModuleMetadata['imports']>): Promise<string> {
    const booting = async (): Promise<void> => {
      const testing = await Test.createTestingModule({ imports }).compile();
      await testing.init();
      await testing.close();
    };
    const error = await booting().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidOptionsException);
    return (error as Error).message;
  }

  it('when it is imported without options', async () => {
    const text =
      'McpModule option server is missing: McpModule is imported without options. ' +
      'Import McpModule.forRoot({ server: { name, version } }) once, in the root module.';
    expect(await refusal(McpModule)).toBe(text);
    @Module({ imports: [McpModule] })
    class FeatureModule {}
    const root = McpModule.forRoot({ server: { name: 'root', version: '1' } });
    expect(await refusal(root, FeatureModule)).toBe(text);
  });

  it('when it is there for features only', async () => {
    @Module({ imports: [McpModule.forFeature('admin')] })
    class AdminModule {}
    expect(await refusal(AdminModule)).toBe(
      'McpModule option server is missing: McpModule.forFeature() is imported, and McpModule.forRoot() nowhere. ' +
        'Import McpModule.forRoot({ name, server }) in the root module.',
    );
  });

  it.each<[string, unknown[], string]>([
    ['nothing', [], 'is missing'],
    ['a module', [Named], 'is a function'],
    ['options', [{ name: 'admin' }], 'is {"name":"admin"}'],
    ['what no server can be called', ['admin', 'my admin'], 'is "my admin"'],
  ])('when forFeature() and @McpServer() are given %s', (_, names, fact) => {
    const given = names as [string];
    const mend = 'Use 1 to 64 letters, digits, "_", "." or "-"';
    expect(() => McpModule.forFeature(...given)).toThrow(InvalidOptionsException);
    expect(() => McpModule.forFeature(...given)).toThrow(
      new Error(`McpModule option name of forFeature() ${fact}. ${mend}.`),
    );
    expect(() => McpServer(...given)).toThrow(
      new Error(`McpModule option name of @McpServer() ${fact}. ${mend}.`),
    );
  });
});

describe('Servers without a secret', () => {
  it('are each named in the warning', async () => {
    const logs: LogLine[] = [];
    const testing = await Test.createTestingModule({
      imports: [
        McpModule.forRoot({ server: { name: 'a', version: '1' } }),
        McpModule.forRoot({ name: 'admin', path: '/admin', server: { name: 'b', version: '1' } }),
      ],
    })
      .setLogger(collect(logs))
      .compile();
    await testing.close();
    const warnings = logs.filter(({ text }) => text.includes('replay.secret'));
    expect(warnings.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^No replay\.secret is configured:/),
      expect.stringMatching(/^Server admin: No replay\.secret is configured:/),
    ]);
  });
});
