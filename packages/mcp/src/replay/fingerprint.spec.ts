import { fingerprint } from './fingerprint.js';

describe('fingerprint', () => {
  it('is the base64url SHA-256 of the canonical JSON', () => {
    // printf '{"a":1,"b":2}' | openssl dgst -sha256 -binary | base64, in the url alphabet
    expect(fingerprint({ b: 2, a: 1 })).toBe('QyWM_3g_5wNtikMDP4MK38YOwDc4JHNUisdCuIgpJ3c');
  });

  it('does not depend on the order of members', () => {
    expect(fingerprint({ a: 1, b: [1, { c: 2, d: 3 }] })).toBe(
      fingerprint({ b: [1, { d: 3, c: 2 }], a: 1 }),
    );
  });

  it('differs for different values', () => {
    expect(fingerprint({ a: 1 })).not.toBe(fingerprint({ a: '1' }));
  });
});
