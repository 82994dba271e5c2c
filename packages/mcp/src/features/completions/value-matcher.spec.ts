import { ValueMatcher } from './value-matcher.js';

describe('ValueMatcher', () => {
  const matcher = new ValueMatcher(['Zürich', 'Basel', 'zug', 'Bazel', 'Chur', 'basel', 'zug']);

  it('gives everything once, in order, for nothing', () => {
    expect(matcher.match('')).toEqual(['Zürich', 'Basel', 'zug', 'Bazel', 'Chur', 'basel']);
  });

  it('gives beginnings before what contains it, each in order', () => {
    expect(matcher.match('z')).toEqual(['Zürich', 'zug', 'Bazel']);
    expect(matcher.match('U')).toEqual(['zug', 'Chur']);
  });

  it('knows a letter however it is composed', () => {
    expect(matcher.match('zu\u0308')).toEqual(['Zürich']);
  });

  it('gives nothing for what fits nothing, and takes no pattern', () => {
    expect(matcher.match('x')).toEqual([]);
    expect(matcher.match('.*')).toEqual([]);
  });
});
