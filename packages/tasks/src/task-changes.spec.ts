import type { InputRequest, InputRequests, LedgerEntry } from '@dacapo/mcp';
import { answered, cancelled, ended, openRequests } from './task-changes.js';
import { someRecord } from './task-record.fixture.js';
import type { TaskRecord } from './task-record.js';

const NOW = 4_000;
const ROOTS: InputRequest = { method: 'roots/list' };

const form = (message: string): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
});

/** A round has asked, and was played with these answers. */
function asks(
  record: TaskRecord,
  inputRequests: InputRequests,
  given: readonly string[] = [],
): TaskRecord {
  return ended(record, { type: 'suspended', inputRequests }, [], new Set(given), NOW);
}

const asking = asks(someRecord(), { a: ROOTS, b: form('Sure?') });

describe('a round that asks', () => {
  it('has its client answer, and is not due', () => {
    expect(asking).toMatchObject({ status: 'input_required', due: false, lastUpdatedAtMs: NOW });
    expect(openRequests(asking)).toEqual({ a: ROOTS, b: form('Sure?') });
  });

  it('keeps what is recorded', () => {
    const entries: LedgerEntry[] = [{ key: 'step/a', kind: 'step', outcome: 1 }];
    const record = ended(
      someRecord(),
      { type: 'suspended', inputRequests: {} },
      entries,
      new Set(),
      NOW,
    );
    expect(record).toMatchObject({ entries, status: 'working' });
  });

  it('keeps the key of a question that is asked again as it was', () => {
    const request = { ...form('Sure?'), odd: undefined } as unknown as InputRequest;
    expect(openRequests(asks(asking, { a: ROOTS, b: request }))).toEqual(openRequests(asking));
  });

  it('gives a question another key that is asked otherwise', () => {
    const again = asks(asking, { a: ROOTS, b: form('Really?') });
    expect(openRequests(again)).toEqual({ a: ROOTS, 'b~2': form('Really?') });
    const thrice = asks(again, { b: form('Sure?') });
    expect(openRequests(thrice)).toEqual({ 'b~3': form('Sure?') });
  });

  it('closes questions that it has moved on from', () => {
    expect(openRequests(asks(asking, { b: form('Sure?') }))).toEqual({ b: form('Sure?') });
  });
});

describe('answers', () => {
  it('close their questions, and have a round played', () => {
    const record = answered(asking, { a: 'yes' }, NOW + 1);
    expect(record).toMatchObject({
      status: 'input_required',
      answers: { a: 'yes' },
      due: true,
      wake: 2,
      lastUpdatedAtMs: NOW + 1,
    });
    expect(openRequests(record)).toEqual({ b: form('Sure?') });
    expect(answered(record, { b: 'no' }, NOW)).toMatchObject({
      status: 'working',
      answers: { a: 'yes', b: 'no' },
      wake: 2,
    });
  });

  it.each([['constructor'], ['c'], ['toString']])(
    'to "%s", which is not open, change nothing',
    (key) => {
      expect(answered(asking, { [key]: 'yes' }, NOW)).toBe(asking);
    },
  );

  it('change nothing the second time', () => {
    const record = answered(asking, { a: 'yes' }, NOW);
    expect(answered(record, { a: 'no' }, NOW)).toBe(record);
  });

  it('are known by the key of the ledger, whatever the client calls it', () => {
    const again = asks(asking, { b: form('Really?') });
    expect(answered(again, { 'b~2': 'yes' }, NOW).answers).toEqual({ b: 'yes' });
  });

  it('that a round was not played with have another one played', () => {
    const playing = answered(asking, { a: 'yes' }, NOW);
    const late = answered(playing, { b: 'no' }, NOW);
    const record = asks(late, { b: form('Sure?') }, ['a']);
    expect(record).toMatchObject({ status: 'working', answers: { b: 'no' }, due: true, wake: 3 });
    expect(openRequests(record)).toEqual({});
  });

  it('that a round was played with are gone, and what is asked again is open', () => {
    const record = asks(answered(asking, { a: 'yes' }, NOW), { a: ROOTS, b: form('Sure?') }, ['a']);
    expect(record).toMatchObject({ answers: {}, due: false, wake: 2 });
    expect(openRequests(record)).toEqual({ b: form('Sure?'), 'a~2': ROOTS });
  });
});

describe('a task that is over', () => {
  const over = { answers: {}, due: false, lastUpdatedAtMs: NOW };
  const before = answered({ ...asking, statusMessage: '1/2' }, { a: 'yes' }, NOW);

  it('has its result, and says no more how far it is', () => {
    const result = { resultType: 'complete', content: [] } as const;
    const record = ended(
      before,
      { type: 'completed', result: { ...result, content: [] } },
      [],
      new Set(),
      NOW,
    );
    expect(record).toMatchObject({ ...over, status: 'completed', result });
    expect(record).not.toHaveProperty('statusMessage');
    expect(openRequests(record)).toEqual({});
  });

  it('has its error, and says which', () => {
    const error = { code: 1, message: 'no' };
    const record = ended(before, { type: 'failed', error }, [], new Set(), NOW);
    expect(record).toMatchObject({ ...over, status: 'failed', error, statusMessage: 'no' });
  });

  it('asks nothing more when it was cancelled', () => {
    const record = cancelled(before, NOW);
    expect(record).toMatchObject({ ...over, status: 'cancelled' });
    expect(openRequests(record)).toEqual({});
  });
});
