import { type AskEntry, isAnswered, Ledger } from './ledger.js';

const entry = (key: string, rest: Partial<AskEntry> = {}): AskEntry => ({
  key,
  kind: 'elicit',
  fingerprint: `print of ${key}`,
  label: key,
  ...rest,
});

describe('Ledger', () => {
  it('keeps the order in which questions were first asked', () => {
    const ledger = new Ledger([entry('b'), entry('a')]);
    ledger.add(entry('c'));
    expect(ledger.entries.map(({ key }) => key)).toEqual(['b', 'a', 'c']);
    expect(ledger.position('b')).toBe(1);
    expect(ledger.position('c')).toBe(3);
    expect(ledger.size).toBe(3);
  });

  it('does not change the entries it was made of', () => {
    const original = entry('a');
    const ledger = new Ledger([original]);
    (ledger.question('a') as AskEntry).outcome = { action: 'decline' };
    expect(original.outcome).toBeUndefined();
  });

  it('knows nothing of keys it does not hold', () => {
    expect(new Ledger().question('elicit-1')).toBeUndefined();
  });

  it.each([
    ['asked', {}, false],
    ['offered', { offer: { action: 'accept' } }, true],
    ['settled', { outcome: { action: 'accept' } }, true],
    ['settled with null', { outcome: null }, true],
  ] as const)('counts a slot that is %s as answered: %s', (_, rest, answered) => {
    expect(isAnswered(entry('a', rest))).toBe(answered);
  });
});
