import { ReadAhead } from './read-ahead.js';

describe('What is read ahead', () => {
  it('comes out as it went in', () => {
    const ahead = new ReadAhead(10);
    expect([ahead.isEmpty, ahead.shift()]).toEqual([true, undefined]);
    ahead.push(Buffer.from('ab'));
    ahead.push(Buffer.from('c'));
    expect(ahead.isEmpty).toBe(false);
    expect(String(ahead.shift())).toBe('ab');
    ahead.push(Buffer.from('d'));
    expect([ahead.shift(), ahead.shift(), ahead.shift()].map(String)).toEqual([
      'c',
      'd',
      'undefined',
    ]);
    expect(ahead.isEmpty).toBe(true);
  });

  it('is full at its limit, until something is taken', () => {
    const ahead = new ReadAhead(3);
    ahead.push(Buffer.from('ab'));
    expect(ahead.isFull).toBe(false);
    ahead.push(Buffer.from('cde'));
    expect(ahead.isFull).toBe(true);
    ahead.shift();
    expect(ahead.isFull).toBe(true);
    ahead.shift();
    expect(ahead.isFull).toBe(false);
  });
});
