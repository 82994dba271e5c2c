import type { NewAccount } from './account.js';
import { InMemoryAccountStore } from './in-memory-account.store.js';

const account = (rest: Partial<NewAccount> = {}): NewAccount => ({
  owner: 'ada@example.com',
  holder: 'Analytical Engines',
  email: 'ada@example.com',
  plan: 'team',
  billing: 'monthly',
  seats: 3,
  ...rest,
});

describe('InMemoryAccountStore', () => {
  it('keeps accounts under ids of their own', async () => {
    const store = new InMemoryAccountStore();
    const first = await store.add(account());
    const second = await store.add(account({ email: 'engines@example.com' }));
    expect([first.id, second.id]).toEqual(['acc-1', 'acc-2']);
    await expect(store.find('acc-1')).resolves.toBe(first);
    await expect(store.find('acc-3')).resolves.toBeUndefined();
  });

  it('lists the accounts of an owner only', async () => {
    const store = new InMemoryAccountStore();
    await store.add(account());
    await store.add(account({ owner: 'grace@example.com', email: 'grace@example.com' }));
    const found = await store.findByOwner('grace@example.com');
    expect(found.map(({ id }) => id)).toEqual(['acc-2']);
  });

  it('has one open account for an address, even when two are opened at once', async () => {
    const store = new InMemoryAccountStore();
    const results = await Promise.allSettled([
      store.add(account()),
      store.add(account({ email: 'ADA@example.com' })),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(store.findOpenByEmail('Ada@Example.com')).resolves.toMatchObject({ id: 'acc-1' });
  });

  it('opens one account for a key, however often it comes', async () => {
    const store = new InMemoryAccountStore();
    const first = await store.add(account(), 'row-1');
    await expect(store.add(account(), 'row-1')).resolves.toBe(first);
    await expect(store.add(account(), 'row-2')).rejects.toThrow(/open account/);
    await expect(store.findByOwner('ada@example.com')).resolves.toEqual([first]);
  });

  it('closes an account once, and frees its address', async () => {
    const store = new InMemoryAccountStore();
    await store.add(account());
    await expect(store.close('acc-1')).resolves.toMatchObject({
      closedAt: expect.any(Date) as Date,
    });
    await expect(store.close('acc-1')).rejects.toThrow(/closed already/);
    await expect(store.close('acc-9')).rejects.toThrow(/no account acc-9/);
    await expect(store.findOpenByEmail('ada@example.com')).resolves.toBeUndefined();
    await expect(store.add(account())).resolves.toMatchObject({ id: 'acc-2' });
  });
});
