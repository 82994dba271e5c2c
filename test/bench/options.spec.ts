import { isWished, readOptions } from './options.js';

describe('the command line of the bench', () => {
  it('measures everything, and only reports, by default', () => {
    expect(readOptions([])).toEqual({
      quick: false,
      check: false,
      only: [],
      json: undefined,
      profile: false,
    });
  });

  it('takes several wishes', () => {
    expect(readOptions(['--quick', '--only', 'call dacapo', '--only=list']).only).toEqual([
      'call dacapo',
      'list',
    ]);
  });

  it('refuses what it does not know', () => {
    expect(() => readOptions(['--fast'])).toThrow('--fast');
  });

  it('finds a line that has all parts of one wish', () => {
    expect(isWished(['call dto'], 'call dacapo fastify dto')).toBe(true);
    expect(isWished(['call dto', 'list'], 'list sdk')).toBe(true);
    expect(isWished(['call dto'], 'call sdk zod')).toBe(false);
  });
});
