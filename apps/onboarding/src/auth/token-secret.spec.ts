import { TokenSecret } from './token-secret.js';

describe('TokenSecret', () => {
  it('takes the secret of the environment', () => {
    const secret = TokenSecret.fromEnvironment({ ONBOARDING_TOKEN_SECRET: 's'.repeat(32) });
    expect(secret.generated).toBe(false);
    expect(Buffer.from(secret.key).toString()).toBe('s'.repeat(32));
  });

  it('makes a new one where none is set', () => {
    const first = TokenSecret.fromEnvironment({});
    const second = TokenSecret.fromEnvironment({ ONBOARDING_TOKEN_SECRET: '' });
    expect(first.generated).toBe(true);
    expect(first.key).toHaveLength(32);
    expect(first.key).not.toEqual(second.key);
  });

  it('refuses one that is too short, without showing it', () => {
    const create = () => TokenSecret.fromEnvironment({ ONBOARDING_TOKEN_SECRET: 'hunter2' });
    expect(create).toThrow(/has 7 bytes, and HS256 needs at least 32/);
    expect(create).not.toThrow(/hunter2/);
  });
});
