import { AccountsService } from '../accounts/accounts.service.js';
import { InMemoryAccountStore } from '../accounts/in-memory-account.store.js';
import { numbered, TAKEN } from './import-plan.js';
import { type Batch, ImportsService } from './imports.service.js';

const rows = numbered(
  ['ada@example.com', 'grace@example.com', 'engines@example.com'].map((email) => ({
    holder: 'Analytical Engines',
    email,
    plan: 'team' as const,
  })),
);

describe('ImportsService', () => {
  let accounts: AccountsService;
  let imports: ImportsService;
  const batch = (rest: Partial<Batch> = {}): Batch => ({
    rows,
    owner: 'ada@example.com',
    idempotencyKey: 'batch-1',
    signal: new AbortController().signal,
    ...rest,
  });
  const owned = async () =>
    (await accounts.ownedBy('ada@example.com')).map(({ id, email }) => [id, email]);

  beforeEach(() => {
    accounts = new AccountsService(new InMemoryAccountStore());
    imports = new ImportsService(accounts);
  });

  it('opens an account for each row, for the owner', async () => {
    await expect(imports.open(batch())).resolves.toEqual({
      opened: ['acc-1', 'acc-2', 'acc-3'],
      skipped: [],
    });
    expect(await owned()).toEqual(rows.map(({ email }, index) => [`acc-${index + 1}`, email]));
  });

  it('opens nothing twice when a batch comes again, and says the same', async () => {
    const first = await imports.open(batch({ rows: rows.slice(0, 2) }));
    const again = await imports.open(batch());
    expect(again.opened.slice(0, 2)).toEqual(first.opened);
    expect(again).toEqual({ opened: ['acc-1', 'acc-2', 'acc-3'], skipped: [] });
    expect(await owned()).toHaveLength(3);
  });

  it('skips an address that somebody else was faster with', async () => {
    await imports.open(
      batch({ rows: rows.slice(1, 2), owner: 'grace@example.com', idempotencyKey: 'other' }),
    );
    await expect(imports.findTaken(rows, batch().signal)).resolves.toEqual([2]);
    await expect(imports.open(batch())).resolves.toEqual({
      opened: ['acc-2', 'acc-3'],
      skipped: [{ row: 2, email: 'grace@example.com', reason: TAKEN }],
    });
  });

  it('stops between two rows when it is told to', async () => {
    const controller = new AbortController();
    class LastWishStore extends InMemoryAccountStore {
      override async add(...args: Parameters<InMemoryAccountStore['add']>) {
        const account = await super.add(...args);
        controller.abort();
        return account;
      }
    }
    accounts = new AccountsService(new LastWishStore());
    const stopping = new ImportsService(accounts);
    const { signal } = controller;
    await expect(stopping.open(batch({ signal }))).rejects.toThrow(/abort/i);
    await expect(stopping.findTaken(rows, signal)).rejects.toThrow(/abort/i);
    expect(await owned()).toHaveLength(1);
  });

  it('does not take another failure for an address that is taken', async () => {
    class BrokenStore extends InMemoryAccountStore {
      override add(): Promise<never> {
        return Promise.reject(new Error('The disk is full.'));
      }
    }
    const broken = new ImportsService(new AccountsService(new BrokenStore()));
    await expect(broken.open(batch())).rejects.toThrow('The disk is full.');
  });
});
