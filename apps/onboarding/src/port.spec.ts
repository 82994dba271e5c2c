import { portOf } from './port.js';

describe('portOf', () => {
  it('is 3000 when nothing is said', () => {
    expect(portOf({})).toBe(3000);
    expect(portOf({ PORT: '' })).toBe(3000);
  });

  it('is what the environment says', () => {
    expect(portOf({ PORT: '8080' })).toBe(8080);
    expect(portOf({ PORT: '0' })).toBe(0);
  });

  it.each(['http', '-1', '65536', '80.5', '1e3'])('refuses %s', (PORT) => {
    expect(() => portOf({ PORT })).toThrow(/which is no port. Set a number from 0 to 65535/);
  });
});
