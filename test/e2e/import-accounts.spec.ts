import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { InMemoryTaskStore, McpTaskStore } from '@dacapo/tasks';
import { eventually } from '@dacapo/testing/tasks';
import { AccountStore } from '../../apps/onboarding/src/accounts/account-store.js';
import { InMemoryAccountStore } from '../../apps/onboarding/src/accounts/in-memory-account.store.js';
import { AppModule } from '../../apps/onboarding/src/app.module.js';
import { TokenSecret } from '../../apps/onboarding/src/auth/token-secret.js';
import { TokenService } from '../../apps/onboarding/src/auth/token.service.js';
import { connect } from '../support/official-client.js';
import { CAPABLE } from '../support/task-client.js';
import { errorOf, resultOf, send, type WireResponse } from '../support/wire.js';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const secret = TokenSecret.fromEnvironment({ ONBOARDING_TOKEN_SECRET: 'a'.repeat(32) });

/** What an instance knows of the accounts, until it hangs after having opened so many. */
class DyingAccountStore extends AccountStore {
  died!: () => void;
  readonly death = new Promise<void>((resolve) => (this.died = resolve));
  revive!: () => void;
  private readonly revival = new Promise<void>((resolve) => (this.revive = resolve));

  constructor(
    private readonly shared: AccountStore,
    private lives: number,
  ) {
    super();
  }

  /** The worst moment: the account is there, and whoever opened it does not hear of it. */
  override async add(...args: Parameters<AccountStore['add']>) {
    const account = await this.shared.add(...args);
    this.lives -= 1;
    if (this.lives > 0) return account;
    this.died();
    await this.revival;
    return account;
  }

  override find(id: string) {
    return this.shared.find(id);
  }

  override findOpenByEmail(email: string) {
    return this.shared.findOpenByEmail(email);
  }

  override findByOwner(owner: string) {
    return this.shared.findByOwner(owner);
  }

  override close(id: string) {
    return this.shared.close(id);
  }
}

const rowOf = (email: string) => ({ holder: 'Analytical Engines', email, plan: 'team' });
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => rowOf(`engine-${index + 1}@example.com`));

describe('an import with a question in the middle', () => {
  const apps: INestApplication[] = [];
  let tasks: McpTaskStore;
  let accounts: AccountStore;
  let url: string;
  let tokenOf: (subject: string) => Promise<string>;

  /** One more instance; all know the same tasks, and the same accounts if they are not given others. */
  async function start(store: AccountStore = accounts): Promise<string> {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(McpTaskStore)
      .useValue(tasks)
      .overrideProvider(AccountStore)
      .useValue(store)
      .overrideProvider(TokenSecret)
      .useValue(secret)
      .compile();
    const app = module.createNestApplication({ logger: false, forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    apps.push(app);
    const tokens = app.get(TokenService);
    tokenOf = (subject) => tokens.sign(subject);
    return `${await app.getUrl()}/mcp`;
  }

  async function request(
    method: string,
    params: Record<string, unknown>,
    { caller = ADA, at = url }: { caller?: string | null; at?: string } = {},
  ): Promise<WireResponse> {
    const { taskId } = params;
    return send(at, method, params, {
      headers: {
        ...(caller !== null && { authorization: `Bearer ${await tokenOf(caller)}` }),
        ...(typeof taskId === 'string' && { 'mcp-name': taskId }),
      },
      meta: { 'io.modelcontextprotocol/clientCapabilities': CAPABLE },
    });
  }

  async function begin(rows: readonly object[]): Promise<string> {
    const created = resultOf(
      await request('tools/call', { name: 'importAccounts', arguments: { rows } }),
    );
    expect(created).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 500 });
    return created['taskId'] as string;
  }

  async function until(taskId: string, status: string, at = url): Promise<Record<string, unknown>> {
    let task: Record<string, unknown> = {};
    await eventually(async () => {
      task = resultOf(await request('tasks/get', { taskId }, { at }));
      expect(task['status']).toBe(status);
    });
    return task;
  }

  const openedBy = async (owner = ADA) =>
    (await accounts.findByOwner(owner)).map(({ email }) => email);

  const answer = (taken: string) => ({ taken: { action: 'accept', content: { taken } } });

  async function openForGrace(email: string): Promise<void> {
    const account = { holder: 'Compilers', plan: 'free', billing: 'monthly', seats: 1 } as const;
    await accounts.add({ owner: GRACE, email, ...account });
  }

  beforeEach(async () => {
    tasks = new InMemoryTaskStore();
    accounts = new InMemoryAccountStore();
    url = await start();
  });

  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });

  it('is a task for clients that know tasks: it works, asks, and goes on with the answer', async () => {
    await openForGrace('engine-2@example.com');
    const taskId = await begin(rowsOf(12));
    const asking = await until(taskId, 'input_required');
    expect(asking).toMatchObject({
      statusMessage: '1/3: 12 rows checked',
      inputRequests: {
        taken: {
          method: 'elicitation/create',
          params: {
            message:
              'The address is taken in 1 of 12 rows: row 2 (engine-2@example.com). What about them?',
          },
        },
      },
    });
    expect(await openedBy()).toEqual([]);
    await request('tasks/update', { taskId, inputResponses: answer('skip') });
    const { result } = await until(taskId, 'completed');
    const { structuredContent } = result as { structuredContent: { opened: string[] } };
    expect(structuredContent).toMatchObject({
      stopped: false,
      skipped: [
        {
          row: 2,
          email: 'engine-2@example.com',
          reason: 'There is an open account for this address already.',
        },
      ],
    });
    expect(structuredContent.opened).toHaveLength(11);
    expect(await openedBy()).toHaveLength(11);
  });

  it('opens nothing when the user says stop', async () => {
    await openForGrace('engine-1@example.com');
    const taskId = await begin(rowsOf(2));
    await until(taskId, 'input_required');
    await request('tasks/update', { taskId, inputResponses: answer('stop') });
    expect(await until(taskId, 'completed')).toMatchObject({
      result: { structuredContent: { stopped: true, opened: [], skipped: [{ row: 1 }] } },
    });
    expect(await openedBy()).toEqual([]);
  });

  it('asks nothing where there is nothing to choose', async () => {
    const free = await until(await begin(rowsOf(1)), 'completed');
    expect(free).toMatchObject({ result: { structuredContent: { opened: ['acc-1'] } } });
    const none = await until(await begin(rowsOf(1)), 'completed');
    expect(none).toMatchObject({
      result: { structuredContent: { stopped: false, opened: [], skipped: [{ row: 1 }] } },
    });
  });

  it('is a plain call for the official client, with the same question', async () => {
    await openForGrace('engine-2@example.com');
    const asked: string[] = [];
    const client = await connect(url, {
      headers: { authorization: `Bearer ${await tokenOf(ADA)}` },
      answer: (message) => {
        asked.push(message);
        return answer('skip').taken as { action: 'accept'; content: { taken: string } };
      },
    });
    const { structuredContent } = await client.callTool({
      name: 'importAccounts',
      arguments: { rows: rowsOf(3) },
    });
    expect(asked).toHaveLength(1);
    expect(structuredContent).toMatchObject({
      opened: ['acc-2', 'acc-3'],
      skipped: [{ row: 2 }],
    });
    await client.close();
  });

  it('is for signed-in callers: others are refused before there is a task', async () => {
    const refused = await request(
      'tools/call',
      { name: 'importAccounts', arguments: { rows: rowsOf(1) } },
      { caller: null },
    );
    expect(refused.status).toBe(401);
    expect(errorOf(refused).message).toBe(
      'The tool importAccounts is for signed-in callers. Send a bearer token.',
    );
  });

  it.each([
    ['no rows', []],
    ['too many', rowsOf(501)],
    ['what is no address', [rowOf('ada')]],
    ['a plan there is not', [{ ...rowOf(ADA), plan: 'gold' }]],
  ])('refuses %s before there is a task', async (_, rows) => {
    const params = { name: 'importAccounts', arguments: { rows } };
    expect(resultOf(await request('tools/call', params))).toMatchObject({
      resultType: 'complete',
      isError: true,
    });
  });

  it('is known to nobody else', async () => {
    await openForGrace('engine-1@example.com');
    const taskId = await begin(rowsOf(2));
    await until(taskId, 'input_required');
    const inputResponses = answer('skip');
    for (const caller of [GRACE, null]) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const refusal = await request(method, { taskId, inputResponses }, { caller });
        const unknown = await request(method, { taskId: 'x', inputResponses }, { caller });
        expect(errorOf(refusal)).toEqual(errorOf(unknown));
        expect(errorOf(refusal).code).toBe(-32602);
      }
    }
    await until(taskId, 'input_required');
  });

  it('goes on elsewhere after a crash in the middle of a batch, and opens no account twice', async () => {
    const dying = new DyingAccountStore(accounts, 13);
    const first = await start(dying);
    const params = { name: 'importAccounts', arguments: { rows: rowsOf(25) } };
    const created = resultOf(await request('tools/call', params, { at: first }));
    const taskId = created['taskId'] as string;
    await dying.death;
    expect(await openedBy()).toHaveLength(13);

    // The other instance has a runner of its own, which learns of the task from whoever asks for it.
    const { result } = await until(taskId, 'completed');
    const ids = Array.from({ length: 25 }, (_, index) => `acc-${index + 1}`);
    expect(result).toMatchObject({ structuredContent: { opened: ids, skipped: [] } });
    expect(await openedBy()).toEqual(rowsOf(25).map(({ email }) => email));

    // The one that hung comes back: it finds the accounts of its batch, and what it says counts no more.
    dying.revive();
    await apps.pop()?.close();
    expect(await openedBy()).toHaveLength(25);
    expect(await until(taskId, 'completed')).toMatchObject({ result });
  });

  it('stops between two accounts when it is cancelled', async () => {
    const dying = new DyingAccountStore(accounts, 13);
    const at = await start(dying);
    const params = { name: 'importAccounts', arguments: { rows: rowsOf(25) } };
    const taskId = resultOf(await request('tools/call', params, { at }))['taskId'] as string;
    await dying.death;
    await request('tasks/cancel', { taskId }, { at });
    dying.revive();
    await apps.pop()?.close();
    expect(await openedBy()).toHaveLength(13);
    await until(taskId, 'cancelled');
  });
});
