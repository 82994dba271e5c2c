import { jest } from '@jest/globals';
import { StatusMessages } from './status-messages.js';

describe('StatusMessages', () => {
  let written: string[];
  let messages: StatusMessages;

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    messages = new StatusMessages((message) => void written.push(message), 1_000);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes the first at once, and later the latest', () => {
    messages.report({ progress: 1 });
    messages.report({ progress: 2, total: 4 });
    messages.report({ progress: 3, total: 4, message: 'reading' });
    expect(written).toEqual(['1']);
    jest.advanceTimersByTime(1_000);
    expect(written).toEqual(['1', '3/4: reading']);
    jest.advanceTimersByTime(5_000);
    messages.report({ progress: 4, total: 4 });
    expect(written).toEqual(['1', '3/4: reading', '4/4']);
  });

  it('writes nothing once the round has ended, and hands out what is not written', () => {
    messages.report({ progress: 1 });
    messages.report({ progress: 2 });
    expect(messages.end()).toBe('2');
    expect(messages.end()).toBeUndefined();
    messages.report({ progress: 3 });
    jest.advanceTimersByTime(5_000);
    expect(written).toEqual(['1']);
  });
});
