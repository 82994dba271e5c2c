import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { openSession } from './demo/client/mcp-session.js';
import { type DemoServer, startDemoServer } from './demo/demo-server.js';
import type { Round } from './demo/wire/round.js';

const answers: Record<string, ElicitResult> = {
  email: { action: 'accept', content: { email: 'ada@example.com' } },
  plan: { action: 'accept', content: { plan: 'team' } },
  sure: { action: 'accept', content: { sure: true } },
  tone: { action: 'accept', content: { tone: 'warm' } },
};

type CompleteRef = Parameters<Client['complete']>[0]['ref'];

const LETTER: CompleteRef = { type: 'ref/prompt', name: 'welcomeLetter' };
const ACCOUNT: CompleteRef = { type: 'ref/resource', uri: 'accounts://{id}' };

/** Guards and principal source, in the pipeline they work in. */
describe('who may do what', () => {
  const clients: Client[] = [];
  let server: DemoServer;
  let rounds: Round[];

  async function caller(token?: string): Promise<Client> {
    const client = await openSession({
      url: server.url,
      ...(token !== undefined && { token }),
      answer: async ({ schema }) =>
        answers[Object.keys(schema.properties ?? {})[0] ?? ''] ?? { action: 'cancel' },
      onRound: (round) => rounds.push(round),
    });
    clients.push(client);
    return client;
  }

  const tokenOf = (name: string) => server.tokenFor(`${name}@example.com`);
  const outcome = () => rounds.at(-1)?.outcome;

  async function openedBy(client: Client): Promise<string> {
    const { structuredContent } = await client.callTool({
      name: 'openAccount',
      arguments: { holder: 'Analytical Engines', seats: 3 },
    });
    return (structuredContent as { id: string }).id;
  }

  beforeEach(async () => {
    rounds = [];
    server = await startDemoServer();
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await server.close();
  });

  it('lets everybody see the plans', async () => {
    const nobody = await caller();
    const { structuredContent } = await nobody.callTool({
      name: 'quotePlan',
      arguments: { plan: 'team', seats: 3 },
    });
    expect(structuredContent).toEqual({
      plan: 'team',
      seats: 3,
      billing: 'monthly',
      amount: 36,
      currency: 'EUR',
    });
    const { contents } = await nobody.readResource({ uri: 'plans://catalogue' });
    expect(contents).toHaveLength(1);
  });

  it('keeps callers without a token away from accounts, before they are asked anything', async () => {
    const nobody = await caller();
    const calls = [
      nobody.callTool({ name: 'openAccount', arguments: { holder: 'Nobody' } }),
      nobody.callTool({ name: 'closeAccount', arguments: { id: 'acc-1' } }),
      nobody.callTool({ name: 'listAccounts' }),
      nobody.readResource({ uri: 'accounts://acc-1' }),
      nobody.getPrompt({ name: 'welcomeLetter', arguments: { id: 'acc-1' } }),
    ];
    const settled = await Promise.allSettled(calls);
    expect(settled.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
    expect(rounds.map((round) => round.outcome)).toEqual(
      calls.map(() => expect.objectContaining({ type: 'error', status: 401 }) as object),
    );
  });

  it('lets an owner read, write to and close an account', async () => {
    const ada = await caller(await tokenOf('ada'));
    const id = await openedBy(ada);
    await expect(ada.readResource({ uri: `accounts://${id}` })).resolves.toMatchObject({
      contents: [{ mimeType: 'application/json' }],
    });
    await expect(
      ada.getPrompt({ name: 'welcomeLetter', arguments: { id } }),
    ).resolves.toMatchObject({ messages: [{ role: 'user' }] });
    await expect(ada.callTool({ name: 'closeAccount', arguments: { id } })).resolves.toMatchObject({
      content: [{ type: 'text', text: `The account ${id} is closed.` }],
    });
  });

  it("answers for somebody else's account as for none", async () => {
    const id = await openedBy(await caller(await tokenOf('ada')));
    const grace = await caller(await tokenOf('grace'));
    for (const name of [id, 'acc-99']) {
      await expect(
        grace.callTool({ name: 'closeAccount', arguments: { id: name } }),
      ).rejects.toThrow();
      expect(outcome()).toMatchObject({
        status: 403,
        message: `You have no account "${name}". listAccounts names yours.`,
      });
    }
    await expect(grace.readResource({ uri: `accounts://${id}` })).rejects.toThrow();
    expect(outcome()).toMatchObject({ status: 403 });
    await expect(grace.getPrompt({ name: 'welcomeLetter', arguments: { id } })).rejects.toThrow();
    expect(outcome()).toMatchObject({ status: 403 });
  });

  it('suggests their own accounts to owners, and open ones where only those will do', async () => {
    const ada = await caller(await tokenOf('ada'));
    const closed = await openedBy(ada);
    await ada.callTool({ name: 'closeAccount', arguments: { id: closed } });
    const open = await openedBy(ada);
    const grace = await caller(await tokenOf('grace'));
    const suggestions = async (client: Client, ref: CompleteRef, value: string) =>
      (await client.complete({ ref, argument: { name: 'id', value } })).completion.values;

    expect(await suggestions(ada, ACCOUNT, 'acc-')).toEqual([closed, open]);
    expect(await suggestions(ada, LETTER, '')).toEqual([open]);
    expect(await suggestions(ada, ACCOUNT, 'x')).toEqual([]);
    expect(await suggestions(grace, ACCOUNT, '')).toEqual([]);
    await expect(suggestions(await caller(), LETTER, '')).rejects.toThrow(
      'The completion welcomeLetter is for signed-in callers. Send a bearer token.',
    );
  });

  it('does not trip over an id that is none', async () => {
    const ada = await caller(await tokenOf('ada'));
    await expect(ada.callTool({ name: 'closeAccount', arguments: { id: 7 } })).rejects.toThrow();
    expect(outcome()).toMatchObject({ status: 403 });
    await expect(ada.callTool({ name: 'closeAccount' })).rejects.toThrow();
    expect(outcome()).toMatchObject({ status: 403 });
  });

  it('refuses a token that does not hold', async () => {
    const token = await tokenOf('ada');
    const forger = await caller(`${token.slice(0, -4)}AAAA`);
    await expect(forger.readResource({ uri: 'plans://catalogue' })).rejects.toThrow();
    expect(outcome()).toMatchObject({
      status: 401,
      message: 'The bearer token is not valid. Sign in again.',
    });
  });

  it('opens one account for an address', async () => {
    await openedBy(await caller(await tokenOf('ada')));
    const grace = await caller(await tokenOf('grace'));
    await expect(
      grace.callTool({ name: 'openAccount', arguments: { holder: 'Grace' } }),
    ).resolves.toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/open account for ada@example.com already/) as string },
      ],
    });
  });
});
