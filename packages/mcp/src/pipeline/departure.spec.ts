import { NO_ANSWERS } from '../replay/input-responses.js';
import type { Conversation } from '../replay/index.js';
import { Ledger } from '../replay/ledger.js';
import { Departure } from './departure.js';

const conversation = (round: number): Conversation => ({
  conversationId: 'c',
  startedAt: 1,
  round,
  ledger: new Ledger(),
  unclaimed: NO_ANSWERS,
});

const ENTRIES = [{ key: 'step/a', kind: 'step', outcome: 'done' }] as const;

describe('Departure', () => {
  it('does what the policy says, until the call has left', () => {
    expect(new Departure('stay').detach).toBe('stay');
    const departure = new Departure('leave');
    expect(departure).toMatchObject({ detach: 'leave', left: false });
    departure.leave(async () => undefined);
    expect(departure).toMatchObject({ detach: 'stay', left: true });
  });

  it('is under way when its first round has begun', async () => {
    const departure = new Departure('leave');
    const seen: string[] = [];
    const waiting = departure.underWay.then(() => seen.push('under way'));
    await Promise.resolve();
    seen.push('begins');
    departure.begun(conversation(1));
    await waiting;
    expect(seen).toEqual(['begins', 'under way']);
  });

  it('knows what is being played now', () => {
    const departure = new Departure('leave');
    expect(departure.conversation).toBeUndefined();
    const again = conversation(2);
    departure.begun(conversation(1));
    departure.begun(again);
    expect(departure.conversation).toBe(again);
  });

  it('keeps nothing before the call has left, and everything afterwards', async () => {
    const departure = new Departure('leave');
    const kept: unknown[] = [];
    expect(departure.save(ENTRIES)).toBeUndefined();
    departure.leave(async (entries) => void kept.push(entries));
    await departure.save(ENTRIES);
    expect(kept).toEqual([ENTRIES]);
    expect(departure.lost).toBeUndefined();
  });

  it('is where it was when it has come back', async () => {
    const departure = new Departure('leave');
    departure.leave(() => Promise.reject(new Error('no store')));
    await expect(departure.save(ENTRIES)).rejects.toThrow('no store');
    departure.comeBack();
    expect(departure).toMatchObject({ detach: 'leave', left: false });
    expect(departure.save(ENTRIES)).toBeUndefined();
    expect(departure.lost).toBeUndefined();
  });

  it('remembers what could not be kept', async () => {
    const departure = new Departure('leave');
    expect(departure.lost).toBeUndefined();
    const cause = new Error('no store');
    departure.leave(() => Promise.reject(cause));
    await expect(departure.save(ENTRIES)).rejects.toBe(cause);
    expect(departure.lost).toEqual({ cause });
  });
});
