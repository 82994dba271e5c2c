import { RequestStateRejectedException } from '../exceptions/index.js';
import { type AnswerPolicy, offerAnswers } from './input-responses.js';
import { Ledger } from './ledger.js';

const accept = { action: 'accept', content: { name: 'Ada' } };

function ledger(): Ledger {
  const shared = { kind: 'elicit', fingerprint: 'f', label: 'l' } as const;
  return new Ledger([
    { ...shared, key: 'settled', outcome: { action: 'decline' } },
    { ...shared, key: 'offered', offer: { action: 'decline' } },
    { ...shared, key: 'first' },
    { ...shared, key: 'second' },
  ]);
}

function reasonOf(answers: unknown, hasState: boolean, policy: AnswerPolicy): string {
  const before = ledger();
  try {
    offerAnswers(before, answers, hasState, policy);
  } catch (error) {
    expect(before.entries).toEqual(ledger().entries);
    if (error instanceof RequestStateRejectedException) return error.reason;
  }
  return 'none';
}

describe('offerAnswers', () => {
  it('lays an answer into its slot, to be judged when the handler comes to it', () => {
    const target = ledger();
    const unclaimed = offerAnswers(target, { first: accept }, true, 'strict');
    expect(target.question('first')?.offer).toEqual(accept);
    expect(target.question('second')?.offer).toBeUndefined();
    expect(unclaimed.size).toBe(0);
  });

  it.each([['strict'], ['lenient']] as const)('takes no answers as none (%s)', (policy) => {
    expect(offerAnswers(ledger(), undefined, false, policy).size).toBe(0);
    expect(offerAnswers(ledger(), {}, false, policy).size).toBe(0);
  });

  it.each([
    ['answers without state', { first: accept }, false, 'strict', 'answers_without_state'],
    ['an unknown key', { third: accept }, true, 'strict', 'answer_unknown'],
    ['a key of the prototype', { toString: accept }, true, 'strict', 'answer_unknown'],
    ['a key that is settled', { settled: accept }, true, 'strict', 'answer_repeated'],
    ['a key that is offered already', { offered: accept }, true, 'strict', 'answer_repeated'],
    ['a malformed answer', { first: 12345 }, true, 'strict', 'answer_malformed'],
    ['a malformed answer', { first: 12345 }, true, 'lenient', 'answer_malformed'],
    ['an answer of another kind', { first: { roots: [] } }, true, 'strict', 'answer_wrong_kind'],
    ['null', null, true, 'strict', 'answer_malformed'],
    ['null', null, false, 'lenient', 'answer_malformed'],
    ['a list', [accept], true, 'strict', 'answer_malformed'],
    ['text', 'first', true, 'strict', 'answer_malformed'],
    [
      'a good answer beside a bad one',
      { first: accept, third: accept },
      true,
      'strict',
      'answer_unknown',
    ],
  ] as const)(
    'refuses %s (%j, state: %s, %s) and lays nothing',
    (_, answers, hasState, policy, reason) => {
      expect(reasonOf(answers, hasState, policy)).toBe(reason);
    },
  );

  it('ignores what nobody asked for, when lenient', () => {
    const target = ledger();
    const unclaimed = offerAnswers(
      target,
      { third: accept, settled: accept, first: accept },
      true,
      'lenient',
    );
    expect(target.question('first')?.offer).toEqual(accept);
    expect(target.question('settled')?.outcome).toEqual({ action: 'decline' });
    expect(unclaimed.size).toBe(0);
  });

  it('keeps answers that came without state for named questions, when lenient', () => {
    const unclaimed = offerAnswers(new Ledger(), { user_name: accept }, false, 'lenient');
    expect([...unclaimed]).toEqual([['user_name', accept]]);
  });
});
