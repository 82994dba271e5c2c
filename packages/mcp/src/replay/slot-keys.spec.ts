import { InvalidAskException, InvalidStepException } from '../exceptions/index.js';
import { SlotKeys } from './slot-keys.js';

describe('SlotKeys', () => {
  it('counts what has no name, each kind for itself', () => {
    const keys = new SlotKeys('book');
    expect([
      keys.question('elicit', undefined),
      keys.question('roots', undefined),
      keys.question('elicit', undefined),
      keys.unnamed('now'),
      keys.unnamed('uuid'),
      keys.unnamed('now'),
    ]).toEqual(['elicit-1', 'roots-1', 'elicit-2', 'now/1', 'uuid/1', 'now/2']);
  });

  it('lets a name stand for itself, and counts its repeats', () => {
    const keys = new SlotKeys('book');
    expect([
      keys.question('elicit', 'plan'),
      keys.step('plan'),
      keys.question('sample', 'plan'),
      keys.step('plan'),
      keys.question('elicit', 'step'),
    ]).toEqual(['plan', 'step/plan', 'plan:2', 'step/plan:2', 'step']);
  });

  it('gives a version one key, however often it is asked for', () => {
    const keys = new SlotKeys('book');
    expect([keys.version('new-tax'), keys.version('new-tax')]).toEqual([
      'version/new-tax',
      'version/new-tax',
    ]);
  });

  it.each(['', 'a b', 'a/b', 'a:2', 'ä', 'x'.repeat(65)])('refuses the name %j', (name) => {
    const keys = new SlotKeys('book');
    expect(() => keys.question('elicit', name)).toThrow(InvalidAskException);
    expect(() => keys.step(name)).toThrow(InvalidStepException);
    expect(() => keys.version(name)).toThrow(/^"book" names a version .+ Use 1 to 64/);
  });

  it('refuses a name that is none', () => {
    expect(() => new SlotKeys('book').step(undefined as unknown as string)).toThrow(
      /"book" names a step undefined, which cannot be a key/,
    );
  });
});
