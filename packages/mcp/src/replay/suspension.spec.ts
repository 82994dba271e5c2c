import { InputRequiredException, isSuspension } from './suspension.js';

describe('InputRequiredException', () => {
  it('carries no stack, and leaves the stacks of others alone', () => {
    const limit = Error.stackTraceLimit;
    expect(new InputRequiredException().stack).not.toContain('\n    at ');
    expect(Error.stackTraceLimit).toBe(limit);
  });
});

describe('isSuspension', () => {
  it('knows the signal', () => {
    expect(isSuspension(new InputRequiredException())).toBe(true);
  });

  it('knows the signal of another copy of the package', () => {
    expect(isSuspension({ [Symbol.for('dacapo.suspension')]: true })).toBe(true);
  });

  it.each([[new Error('x')], [null], [undefined], ['InputRequiredException'], [{}]])(
    'does not take %p for it',
    (value) => {
      expect(isSuspension(value)).toBe(false);
    },
  );
});
