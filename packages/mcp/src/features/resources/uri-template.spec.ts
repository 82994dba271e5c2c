import { jest } from '@jest/globals';
import { UriTemplate } from './uri-template.js';

/** `null` in the tables: the uri is not the template's. */
function match(template: string, uri: string): Record<string, string> | null {
  return UriTemplate.parse(template).match(uri) ?? null;
}

function refusal(template: string): string {
  try {
    UriTemplate.parse(template);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${template} was not refused`);
}

type Case = [template: string, uri: string, variables: object | null];

describe('a uri template', () => {
  describe('of level 1', () => {
    it.each<Case>([
      ['docs://{a}', 'docs://x', { a: 'x' }],
      ['docs://{a}', 'docs://x,y', { a: 'x,y' }],
      ['docs://{a}', 'docs://größe', { a: 'größe' }],
      ['docs://{a}', 'docs://..', { a: '..' }],
      ['docs://{a}', 'docs://', null],
      ['docs://{a}', 'docs://x/y', null],
      ['docs://{a}', 'docs://x?y', null],
      ['docs://{a}', 'docs://x#y', null],
      ['docs://{a}', 'DOCS://x', null],
      ['docs://{a}', 'docs:/x', null],
      ['docs://{a}', '', null],
      ['{a}', 'x', { a: 'x' }],
      ['docs://{a}/b', 'docs://x/b', { a: 'x' }],
      ['docs://{a}/b', 'docs://x/b/b', null],
      ['docs://{a}/b', 'docs://x/c', null],
      ['docs://{a}/b', 'docs:///b', null],
      ['docs://{a}/b/{c}', 'docs://x/b/y', { a: 'x', c: 'y' }],
      ['docs://{a}/b/{c}', 'docs://x/b/', null],
      ['docs://{a}.json', 'docs://x.json', { a: 'x' }],
      ['docs://{a}.json', 'docs://x.y.json', { a: 'x.y' }],
      ['docs://{a}.json', 'docs://.json', null],
      ['docs://{a}-{b}', 'docs://1-2-3', { a: '1', b: '2-3' }],
      ['docs://{a.b}', 'docs://x', { 'a.b': 'x' }],
      ['docs://{_1}', 'docs://x', { _1: 'x' }],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with {+reserved}', () => {
    it.each<Case>([
      ['docs://{+p}', 'docs://a/b/c', { p: 'a/b/c' }],
      ['docs://{+p}', 'docs://a?b#c', { p: 'a?b#c' }],
      ['docs://{+p}', 'docs://', null],
      ['docs://{+p}/end', 'docs://a/b/end/end', { p: 'a/b/end' }],
      ['docs://{+p}/end', 'docs:///end', null],
      ['docs://{+p}/end', 'docs://end', null],
      ['docs://{+p}/v/{n}', 'docs://a/v/b/v/1', { p: 'a/v/b', n: '1' }],
      ['docs://{+p}/v/{n}', 'docs://a/b', null],
      ['docs://{a}/{+p}', 'docs://x/y/z', { a: 'x', p: 'y/z' }],
      ['docs://{+p}.json', 'docs://a/b.json', { p: 'a/b' }],
      ['docs://{+a,b}', 'docs://x/y,z', { a: 'x/y', b: 'z' }],
      ['docs://{+p}/{a}/{b}', 'docs://1/2/3', { p: '1', a: '2', b: '3' }],
      ['docs://{+p}/{a}/{b}', 'docs://0/1/2/3', { p: '0/1', a: '2', b: '3' }],
      ['docs://{+p}/{a}/end', 'docs://1/2/end', { p: '1', a: '2' }],
      ['docs://{+p}/{a}{?q}', 'docs://1/2?q=3/4', { p: '1', a: '2', q: '3/4' }],
      ['docs://{+p}{.ext}', 'docs://a.b/c.md', { p: 'a.b/c', ext: 'md' }],
      ['docs://{+p}{?q}', 'docs://a/b?q=1', { p: 'a/b', q: '1' }],
      ['docs://{+p}{.ext}/end', 'docs://a/b.c/end', { p: 'a/b', ext: 'c' }],
      ['docs://{+p}{.ext}/end', 'docs://a/b/end', { p: 'a/b' }],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with {#fragment}', () => {
    it.each<Case>([
      ['docs://p{#f}', 'docs://p#x/y?z', { f: 'x/y?z' }],
      ['docs://p{#f}', 'docs://p#', { f: '' }],
      ['docs://p{#f}', 'docs://p', {}],
      ['docs://p{#f}', 'docs://px', null],
      ['docs://p{#a,b}', 'docs://p#x,y', { a: 'x', b: 'y' }],
      ['docs://p{#a,b}', 'docs://p#x', { a: 'x' }],
      ['docs://p{#a,b}', 'docs://p#x,y,z', null],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with {.label}', () => {
    it.each<Case>([
      ['docs://p{.ext}', 'docs://p.md', { ext: 'md' }],
      ['docs://p{.ext}', 'docs://p', {}],
      ['docs://p{.ext}', 'docs://pmd', null],
      // RFC 6570, 3.2.5: a value that contains a "." adds labels.
      ['docs://p{.ext}', 'docs://p.tar.gz', { ext: 'tar.gz' }],
      ['docs://p{.a,b}', 'docs://p.x.y', { a: 'x', b: 'y' }],
      ['docs://p{.a,b}', 'docs://p.x', { a: 'x' }],
      ['docs://p{.ext}', 'docs://p.md?x', null],
      ['docs://p{.ext}', 'docs://p.md#x', null],
      ['docs://p{.ext}', 'docs://p.md/x', null],
      ['docs://{a}{.ext}', 'docs://x.md', { a: 'x', ext: 'md' }],
      ['docs://{a}{.ext}', 'docs://x', { a: 'x' }],
      ['docs://{a}{.ext}', 'docs://.md', null],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with {/path}', () => {
    it.each<Case>([
      ['docs://p{/a}', 'docs://p/x', { a: 'x' }],
      ['docs://p{/a}', 'docs://p/x.y', { a: 'x.y' }],
      ['docs://p{/a}', 'docs://p', {}],
      ['docs://p{/a}', 'docs://p/', { a: '' }],
      ['docs://p{/a}', 'docs://p/x/y', null],
      ['docs://p{/a,b}', 'docs://p/x/y', { a: 'x', b: 'y' }],
      ['docs://p{/a,b}', 'docs://p/x', { a: 'x' }],
      ['docs://p{/a,b}', 'docs://p/x/y/z', null],
      ['docs://p{/a}', 'docs://p/x?y', null],
      ['docs://{a}{/b}', 'docs://x/y', { a: 'x', b: 'y' }],
      ['docs://{a}{/b}/end', 'docs://x/y/end', { a: 'x', b: 'y' }],
      ['docs://{a}{/b}/end', 'docs://x/end', { a: 'x' }],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with {;parameters}', () => {
    it.each<Case>([
      ['docs://p{;a,b}', 'docs://p;a=1;b=2', { a: '1', b: '2' }],
      ['docs://p{;a,b}', 'docs://p;b=2;a=1', { a: '1', b: '2' }],
      ['docs://p{;a,b}', 'docs://p;b=2', { b: '2' }],
      ['docs://p{;a,b}', 'docs://p;a', { a: '' }],
      ['docs://p{;a,b}', 'docs://p', {}],
      ['docs://p{;a,b}', 'docs://p;c=1', null],
      ['docs://p{;a,b}', 'docs://p;a=1;a=2', null],
      ['docs://p{;a,b}', 'docs://p;a=1;', null],
      ['docs://p{;a}{;b}', 'docs://p;a=1;b=2', { a: '1', b: '2' }],
      ['docs://p{;a}', 'docs://p;a=1/x', null],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with {?query} and {&more}', () => {
    it.each<Case>([
      ['docs://p{?a,b}', 'docs://p?a=1&b=2', { a: '1', b: '2' }],
      ['docs://p{?a,b}', 'docs://p?b=2&a=1', { a: '1', b: '2' }],
      ['docs://p{?a,b}', 'docs://p?b=2', { b: '2' }],
      ['docs://p{?a,b}', 'docs://p?a=', { a: '' }],
      ['docs://p{?a,b}', 'docs://p?a', { a: '' }],
      ['docs://p{?a,b}', 'docs://p', {}],
      ['docs://p{?a,b}', 'docs://p?a=x=y', { a: 'x=y' }],
      ['docs://p{?a,b}', 'docs://p?a=x+y', { a: 'x+y' }],
      ['docs://p{?a,b}', 'docs://p?', null],
      ['docs://p{?a,b}', 'docs://p?c=1', null],
      ['docs://p{?a,b}', 'docs://p?a=1&c=1', null],
      ['docs://p{?a,b}', 'docs://p?a=1&a=2', null],
      ['docs://p{?a,b}', 'docs://p?A=1', null],
      ['docs://p{?a,b}', 'docs://p&a=1', null],
      ['docs://p{?a}', 'docs://p?a=1#f', null],
      ['docs://p{?a}{#f}', 'docs://p?a=1#f', { a: '1', f: 'f' }],
      ['docs://p?f=1{&a}', 'docs://p?f=1&a=2', { a: '2' }],
      ['docs://p?f=1{&a}', 'docs://p?f=1', {}],
      ['docs://p?f=1{&a}', 'docs://p?f=2&a=2', null],
      ['docs://p{?a}{&b}', 'docs://p?a=1&b=2', { a: '1', b: '2' }],
      ['docs://{a}{?q}', 'docs://x?q=1', { a: 'x', q: '1' }],
      ['docs://{a}{?q}', 'docs://x', { a: 'x' }],
      ['docs://{a}{?q}', 'docs://?q=1', null],
      ['docs://{a}.json{?q}', 'docs://x.json?q=1', { a: 'x', q: '1' }],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });

    it('reads everything at once', () => {
      const template = 'docs://{a}{/b}{.ext}{?q,r}{#f}';
      expect(match(template, 'docs://x/y.md?q=1&r=2#z')).toEqual({
        a: 'x',
        b: 'y',
        ext: 'md',
        q: '1',
        r: '2',
        f: 'z',
      });
      expect(match(template, 'docs://x')).toEqual({ a: 'x' });
      expect(match(template, 'docs://x#z')).toEqual({ a: 'x', f: 'z' });
      expect(match(template, 'docs://x.md')).toEqual({ a: 'x', ext: 'md' });
    });
  });

  describe('and percent signs', () => {
    it.each<Case>([
      ['docs://{a}', 'docs://a%20b', { a: 'a b' }],
      ['docs://{a}', 'docs://a%2Fb', { a: 'a/b' }],
      ['docs://{a}', 'docs://%C3%A9', { a: 'é' }],
      ['docs://{a}', 'docs://%F0%9F%98%80', { a: '😀' }],
      ['docs://{a}', 'docs://%2520', { a: '%20' }],
      ['docs://{a}', 'docs://%00', { a: '\0' }],
      ['docs://{+p}', 'docs://a%2Fb', { p: 'a/b' }],
      ['docs://{a,b}', 'docs://x%2Cy,z', { a: 'x,y', b: 'z' }],
      ['docs://p{?a}', 'docs://p?a=%26%3D', { a: '&=' }],
      ['docs://p{/a,b}', 'docs://p/x%2Fy/z', { a: 'x/y', b: 'z' }],
      ['docs://{a}%20b', 'docs://x%20b', { a: 'x' }],
      ['docs://{a}', 'docs://%', null],
      ['docs://{a}', 'docs://%2', null],
      ['docs://{a}', 'docs://%zz', null],
      ['docs://{a}', 'docs://%E0%A4%A', null],
      ['docs://{a}', 'docs://%C3', null],
      ['docs://{a}', 'docs://%FF', null],
      ['docs://{+p}', 'docs://a/%/b', null],
      ['docs://p{?a}', 'docs://p?a=%', null],
      ['docs://p{;a}', 'docs://p;a=%', null],
      ['docs://p{#f}', 'docs://p#%', null],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(match(template, uri)).toEqual(variables);
    });
  });

  describe('with names that every object has', () => {
    it.each<Case>([
      ['docs://{constructor}', 'docs://x', { constructor: 'x' }],
      ['docs://{toString}/{valueOf}', 'docs://x/y', { toString: 'x', valueOf: 'y' }],
      ['docs://p{?constructor}', 'docs://p?constructor=1', { constructor: '1' }],
      ['docs://p{;toString}', 'docs://p;toString=1', { toString: '1' }],
      ['docs://p{?hasOwnProperty,a}', 'docs://p?a=1', { a: '1' }],
    ])('%s reads %s as %j', (template, uri, variables) => {
      expect(Object.entries(match(template, uri) ?? {})).toEqual(Object.entries(variables ?? {}));
    });

    it('refuses __proto__, whose value would be lost', () => {
      expect(() => UriTemplate.parse('docs://{__proto__}')).toThrow('__proto__');
    });
  });

  it('tells its variables in the order of the template', () => {
    expect(UriTemplate.parse('docs://{b}/{+a}{?d,c}').names).toEqual(['b', 'a', 'd', 'c']);
  });
});

describe('a mistake in a uri template', () => {
  it.each([
    ['docs://readme', 'it has no variables; give it as "uri"'],
    ['', 'it has no variables; give it as "uri"'],
    ['docs://{a', 'it has a "{" without a "}"'],
    ['docs://a}', 'it has a "}" without a "{"'],
    ['docs://{a}}', 'it has a "}" without a "{"'],
    ['docs://{a}/{', 'it has a "{" without a "}"'],
    ['docs://{a,a}', 'it has the variable "a" twice'],
    ['docs://{a}/{b}{?a}', 'it has the variable "a" twice'],
    ['docs://{a}{b}', 'nothing separates {a} from {b}'],
    ['docs://{a,b}{+c,d}', 'nothing separates {a,b} from {+c,d}'],
    ['docs://{?a}{b}', 'nothing separates {?a} from {b}'],
  ])('is refused with its reason: %s', (template, message) => {
    expect(refusal(template)).toBe(message);
  });

  it.each([
    '{a*}',
    '{a:3}',
    '{?a*}',
    '{/a,b*}',
    '{}',
    '{+}',
    '{a,}',
    '{,a}',
    '{a b}',
    '{ a}',
    '{a-b}',
    '{a..b}',
    '{.a.}',
    '{=a}',
    '{!a}',
    '{@a}',
    '{|a}',
    '{a%20}',
    '{größe}',
    '{{a}',
  ])('is refused as no expression of levels 1 to 3: %s', (expression) => {
    expect(refusal(`docs://${expression}`)).toBe(
      `${expression} is not an expression of RFC 6570 levels 1 to 3 (explode "*" and prefix ":n" are level 4)`,
    );
  });
});

describe('of several uri templates', () => {
  it.each([
    [['docs://{a}', 'docs://pages/{a}'], 'docs://pages/{a}'],
    [['docs://{+a}', 'docs://{a}'], 'docs://{a}'],
    [['docs://{a}/{b}', 'docs://{+a}'], 'docs://{a}/{b}'],
    [['docs://p{/a,b}', 'docs://p{/a}'], 'docs://p{/a}'],
    [['docs://{a}{?q}', 'docs://{a}'], 'docs://{a}'],
    [['docs://{+a}/x', 'docs://{a}'], 'docs://{+a}/x'],
  ])('the most specific of %j comes first', (templates, first) => {
    const parsed = templates.map((template) => UriTemplate.parse(template));
    for (const order of [parsed, [...parsed].reverse()]) {
      expect([...order].sort((a, b) => UriTemplate.compare(a, b))[0]?.text).toBe(first);
    }
  });

  it('none comes first when they are equally specific', () => {
    const [a, b] = [UriTemplate.parse('a://{x}'), UriTemplate.parse('b://{y}')] as const;
    expect(UriTemplate.compare(a, b)).toBe(0);
  });

  it.each([
    ['docs://{a}', 'docs://{b}', true],
    ['docs://{a}/{b}', 'docs://{b}/{a}', true],
    ['docs://p{/a,b}', 'docs://p{/c,d}', true],
    ['docs://p{?a,b}', 'docs://p{?b,a}', true],
    ['docs://{a}', 'docs://{+a}', false],
    ['docs://{a}', 'docs://{a,b}', false],
    ['docs://p{?a}', 'docs://p{?b}', false],
    ['docs://p{;a}', 'docs://p{?a}', false],
    ['docs://{a}', 'dogs://{a}', false],
    ['docs://{a}/x', 'docs://{a}', false],
  ])('%s and %s match the same uris: %s', (one, other, same) => {
    expect(UriTemplate.parse(one).shape === UriTemplate.parse(other).shape).toBe(same);
  });
});

describe('a long uri', () => {
  const TEMPLATES = [
    'docs://{a}',
    'docs://{+a}',
    'docs://{+a}/x/{b}/x/{c}',
    'docs://{a}{/b,c}{.d}{;e}{?f}{#g}',
    'docs://{a}x{b}x{c}x{d}x{e}',
    'docs://p{?a,b,c}',
  ];

  it('matches up to 2,048 characters, and not beyond', () => {
    const template = UriTemplate.parse('docs://{a}');
    const longest = 'x'.repeat(2_048 - 'docs://'.length);
    expect(template.match(`docs://${longest}`)).toEqual({ a: longest });
    expect(template.match(`docs://${longest}x`)).toBeUndefined();
  });

  it.each(
    TEMPLATES.flatMap((template) =>
      ['/x', 'x', '.', '?a=', '&a', '%20', ';e'].map((unit) => [template, unit] as const),
    ),
  )('is searched as often as a short one by %s: %s', (text, unit) => {
    const template = UriTemplate.parse(text);
    const searches = (uri: string): number => {
      const spies = (['indexOf', 'lastIndexOf', 'startsWith', 'endsWith'] as const).map((method) =>
        jest.spyOn(String.prototype, method),
      );
      template.match(uri);
      const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
      for (const spy of spies) spy.mockRestore();
      return calls;
    };
    const perPair = unit.includes('a') ? 1 : 0;
    const [short, long] = [10, 2_000].map((times) => `docs://${unit.repeat(times)}`) as [
      string,
      string,
    ];
    // One search a pair of a query is allowed; nothing is tried twice.
    expect(searches(long) - searches(short)).toBeLessThanOrEqual(perPair * 2_000);
  });
});
