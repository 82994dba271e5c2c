import { userInfo } from 'node:os';
import { LocalUser } from './local-user.js';

describe('LocalUser', () => {
  it('is the user of the environment', () => {
    expect(LocalUser.fromEnvironment({ ONBOARDING_USER: 'ada@example.com' }).name).toBe(
      'ada@example.com',
    );
  });

  it.each([{}, { ONBOARDING_USER: '' }])(
    'is that of the operating system with %j',
    (environment) => {
      expect(LocalUser.fromEnvironment(environment).name).toBe(userInfo().username);
    },
  );
});
