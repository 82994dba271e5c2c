import { jest } from '@jest/globals';
import { Cancellation } from './cancellation.js';

describe('A cancellation', () => {
  it('tells everybody once, with the first reason', () => {
    const cancellation = new Cancellation();
    const early = jest.fn();
    const late = jest.fn();
    cancellation.onCancel(early);
    expect(cancellation.cancelled).toBe(false);
    cancellation.cancel('first');
    cancellation.cancel('second');
    cancellation.onCancel(late);
    expect(cancellation.cancelled).toBe(true);
    const reason = expect.objectContaining({ name: 'AbortError', message: 'first' }) as unknown;
    expect(early.mock.calls).toEqual([[reason]]);
    expect(late.mock.calls).toEqual([[reason]]);
  });
});
