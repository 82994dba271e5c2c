import {
  InputRequiredException,
  isAskRejection,
  isSuspension,
  markAskRejection,
} from './suspension.js';

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

describe('markAskRejection', () => {
  it('makes an error known, without showing', () => {
    const error = new Error('x');
    expect(isAskRejection(error)).toBe(false);
    markAskRejection(error);
    markAskRejection(error);
    expect(isAskRejection(error)).toBe(true);
    expect(isSuspension(error)).toBe(false);
    expect(Object.keys(error)).toEqual([]);
  });

  it('leaves a frozen error alone', () => {
    const error = Object.freeze(new Error('x'));
    expect(() => markAskRejection(error)).not.toThrow();
    expect(isAskRejection(error)).toBe(false);
  });

  it('makes known what is made of the error', () => {
    const error = new InputRequiredException();
    expect(isAskRejection(new Error('x', { cause: new Error('y', { cause: error }) }))).toBe(true);
    expect(isAskRejection(new AggregateError([new Error('x'), error]))).toBe(true);
    expect(isAskRejection(new AggregateError([new Error('x')]))).toBe(false);
  });

  it('does not follow causes in circles', () => {
    const error = new Error('x');
    error.cause = new Error('y', { cause: error });
    expect(isAskRejection(error)).toBe(false);
  });

  it.each([[null], [undefined], ['x']])('does not take %p for one', (value) => {
    expect(isAskRejection(value)).toBe(false);
  });

  it('takes the signal for one', () => {
    expect(isAskRejection(new InputRequiredException())).toBe(true);
  });
});
