import { jest } from '@jest/globals';
import { McpSessionStore, type McpSessionRecord } from '../../exchange/index.js';
import type { HttpSession } from './http-session.js';
import { HttpSessions } from './http-sessions.js';

const ID = '01234567-89ab-4def-8123-456789abcdef';
const IDLE_MS = 600_000;
const SWEEP_MS = 30_000;

const RECORD: McpSessionRecord = {
  principal: null,
  revision: '2025-11-25',
  capabilities: {},
  isReady: true,
  watched: [],
};

class Store extends McpSessionStore {
  record: McpSessionRecord | undefined = RECORD;
  saved = 0;
  failure: Error | undefined;

  override async save(): Promise<void> {
    this.saved += 1;
  }

  override async load(): Promise<McpSessionRecord | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return this.record;
  }

  override async remove(): Promise<void> {
    this.record = undefined;
  }
}

/** A session whose client listens, and says nothing. */
function listening() {
  const close = jest.fn();
  const session = {
    session: { id: ID, principal: null },
    isBusy: true,
    isReady: true,
    lastSeenMs: 0,
    kept: undefined,
    record: RECORD,
    close,
  };
  return { close, session: session as unknown as HttpSession };
}

describe('a session that only listens', () => {
  let store: Store;
  let now: number;
  let sessions: HttpSessions;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    await jest.advanceTimersByTimeAsync(SWEEP_MS);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    store = new Store();
    now = 0;
    sessions = new HttpSessions({ maxOpen: 1, idleMs: IDLE_MS }, () => now, store);
  });
  afterEach(() => {
    sessions.closeAll();
    jest.useRealTimers();
  });

  it('is kept as long as it does, in the store too', async () => {
    const { session, close } = listening();
    sessions.add(session);
    await pass(2 * IDLE_MS);
    await pass(1);
    expect(store.saved).toBe(1);
    await pass(IDLE_MS);
    expect(store.saved).toBe(2);
    expect(close).not.toHaveBeenCalled();
  });

  it('ends when it was ended elsewhere, and is not kept again', async () => {
    const { session, close } = listening();
    sessions.add(session);
    store.record = undefined;
    await pass(IDLE_MS);
    expect(close).toHaveBeenCalledTimes(1);
    expect(store.saved).toBe(0);
  });

  it('goes on where the store does not answer', async () => {
    const { session, close } = listening();
    sessions.add(session);
    store.failure = new Error('down');
    await pass(IDLE_MS);
    expect(close).not.toHaveBeenCalled();
    store.failure = undefined;
    await pass(IDLE_MS);
    expect(store.saved).toBe(1);
  });
});
