import { Nonces } from './nonces.js';

describe('Nonces', () => {
  it('are as long as they should be, and none is like another, however many are taken', () => {
    const nonces = new Nonces(12);
    const taken = Array.from({ length: 1_000 }, () => nonces.take());
    const texts = taken.map((nonce) => nonce.toString('hex'));
    expect(new Set(texts).size).toBe(1_000);
    expect(taken.every(({ length }) => length === 12)).toBe(true);
    // Those that were taken before have stayed what they were.
    expect(taken.map((nonce) => nonce.toString('hex'))).toEqual(texts);
  });

  it('are not those of another', () => {
    const [one, other] = [new Nonces(12), new Nonces(12)];
    expect(one.take().equals(other.take())).toBe(false);
  });
});
