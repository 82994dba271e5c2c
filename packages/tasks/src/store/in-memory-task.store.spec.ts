import { jest } from '@jest/globals';
import { someRecord } from '../task-record.fixture.js';
import { InMemoryTaskStore } from './in-memory-task.store.js';

describe('InMemoryTaskStore', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('forgets what has expired by itself, and keeps no timer for nothing', async () => {
    jest.useFakeTimers();
    const store = new InMemoryTaskStore();
    await store.create(someRecord({ ttlMs: 30_000 }));
    await store.create(someRecord({ ttlMs: 90_000 }));
    jest.advanceTimersByTime(60_000);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(60_000);
    expect(jest.getTimerCount()).toBe(0);
    await store.create(someRecord());
    expect(jest.getTimerCount()).toBe(1);
  });
});
