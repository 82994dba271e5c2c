import { settledWithin } from './settled-within.js';

const never = new Promise<never>(() => undefined);

describe('settledWithin', () => {
  it('waits for the first of its ends', async () => {
    await settledWithin(2 ** 31 - 1, never, Promise.resolve());
  });

  it('waits no longer than it may', async () => {
    await settledWithin(1, never);
  });
});
