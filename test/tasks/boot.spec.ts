import { McpModule } from '@dacapo/mcp';
import { Test } from '@nestjs/testing';
import { InMemoryTaskStore, McpTasksModule, type McpTasksModuleExtras } from '@dacapo/tasks';
import { collect, type LogLine } from '../support/test-server.js';

let logs: LogLine[];

async function boot(...modules: McpTasksModuleExtras[]): Promise<void> {
  const server = { name: 'imports', version: '1.0.0' };
  const module = await Test.createTestingModule({
    imports: [
      McpModule.forRoot({ server }),
      ...modules.map((rest) => McpTasksModule.forRoot(rest)),
    ],
  })
    .setLogger(collect(logs))
    .compile();
  const app = module.createNestApplication();
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

const warnings = (): string[] =>
  logs.filter(({ level }) => level === 'warn').map(({ text }) => text);

beforeEach(() => {
  logs = [];
});

describe('the boot with tasks', () => {
  it('says so when they are kept in the process', async () => {
    await boot({});
    expect(warnings()).toContainEqual(expect.stringContaining('Tasks are kept in this process'));
  });

  it('stops where their server is not there', async () => {
    await expect(boot({ server: 'admin' })).rejects.toThrow(
      'of McpTasksModule is "admin", and the application has no such server',
    );
  });

  it('stops where a server has them twice', async () => {
    await expect(
      boot({}, { store: { useFactory: () => new InMemoryTaskStore() } }),
    ).rejects.toThrow('has the extension io.modelcontextprotocol/tasks twice for one server');
  });
});
