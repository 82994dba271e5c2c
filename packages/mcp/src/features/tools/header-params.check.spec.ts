import { HeaderMismatchException } from '../../exceptions/index.js';
import type { McpExchange, McpHeaders } from '../../exchange/index.js';
import type { HeaderParam, HeaderParamType } from '../../schema/index.js';
import { checkHeaderParams } from './header-params.check.js';

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

function param(type: HeaderParamType, ...path: string[]): HeaderParam {
  return { header: 'Mcp-Param-Region', path, type };
}

function exchange(headers: McpHeaders, transport = 'http'): McpExchange {
  return { transport, headers } as McpExchange;
}

/** Checks one header against one argument. */
function check(type: HeaderParamType, header: string | string[] | undefined, value: unknown): void {
  checkHeaderParams([param(type, 'region')], exchange({ 'mcp-param-region': header }), {
    region: value,
  });
}

describe('The header of an argument', () => {
  it.each<[HeaderParamType, string, unknown]>([
    ['string', 'us-west1', 'us-west1'],
    ['string', '  us-west1\t', 'us-west1'],
    ['string', 'a b', 'a b'],
    ['string', '', ''],
    ['string', base64(''), ''],
    ['string', base64('us-west1'), 'us-west1'],
    ['string', base64('Hello, 世界'), 'Hello, 世界'],
    ['string', base64(' padded '), ' padded '],
    ['string', base64('line1\nline2'), 'line1\nline2'],
    ['string', base64('=?base64?literal?='), '=?base64?literal?='],
    ['string', 'SGVsbG8=', 'SGVsbG8='],
    ['string', '=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['string', '42.0', '42.0'],
    ['string', 'true', 'true'],
    ['integer', '42', 42],
    ['integer', '42.0', 42],
    ['integer', '42.00', 42],
    ['integer', '-7', -7],
    ['integer', '0', 0],
    ['integer', '-0', 0],
    ['integer', '0', -0],
    ['integer', base64('42'), 42],
    ['integer', String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
    ['integer', String(Number.MIN_SAFE_INTEGER), Number.MIN_SAFE_INTEGER],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', base64('true'), true],
    // Of another kind than declared: validation tells the model what is wrong.
    ['integer', '1.5', 1.5],
    ['integer', '42', '42'],
    ['string', '5', 5],
    ['boolean', 'yes', 'yes'],
  ])('of type %s may be %j for %j', (type, header, value) => {
    expect(() => check(type, header, value)).not.toThrow();
  });

  it.each<[HeaderParamType, string, unknown, string]>([
    ['string', 'eu', 'us', '"eu" does not match body value "us"'],
    ['string', 'US', 'us', '"US" does not match body value "us"'],
    ['string', base64('eu'), 'us', '"eu" does not match body value "us"'],
    ['string', 'a, a', 'a', '"a, a" does not match body value "a"'],
    ['string', base64('a'), base64('a'), `"a" does not match body value "${base64('a')}"`],
    ['string', '42.0', 42, '"42.0" does not match body value 42'],
    ['string', '', 'us', '"" does not match body value "us"'],
    ['string', 'null', 'us', '"null" does not match body value "us"'],
    ['integer', '43', 42, '"43" does not match body value 42'],
    ['integer', '42.5', 42, '"42.5" does not match body value 42'],
    ['integer', '', 0, '"" does not match body value 0'],
    ['integer', '0x2a', 42, '"0x2a" does not match body value 42'],
    ['integer', '4.2e1', 42, '"4.2e1" does not match body value 42'],
    [
      'integer',
      '42.000000000000000001',
      42,
      '"42.000000000000000001" does not match body value 42',
    ],
    ['integer', '42.0', '42', '"42.0" does not match body value "42"'],
    ['boolean', 'True', true, '"True" does not match body value true'],
    ['boolean', '1', true, '"1" does not match body value true'],
    ['boolean', 'false', true, '"false" does not match body value true'],
  ])('of type %s may not be %j for %j', (type, header, value, detail) => {
    expect(() => check(type, header, value)).toThrow(HeaderMismatchException);
    expect(() => check(type, header, value)).toThrow(
      new Error(`Header mismatch: Mcp-Param-Region header value ${detail}`),
    );
  });

  it.each([9007199254740992, -9007199254740992, 1e21])(
    'cannot vouch for a number that a double does not hold exactly: %d',
    (value) => {
      expect(() => check('integer', String(value), value)).toThrow(
        'the argument region is beyond the whole numbers',
      );
    },
  );

  it.each(['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', '=?base64?/w==?=', 'größe'])(
    'may not be malformed: %j',
    (header) => {
      expect(() => check('string', header, 'Hello')).toThrow(HeaderMismatchException);
      expect(() => check('string', header, undefined)).toThrow(HeaderMismatchException);
    },
  );

  it.each([[{}], [[]], [{ a: 1 }], [['us']]])('matches no %j', (value) => {
    expect(() => check('string', JSON.stringify(value), value)).toThrow(
      'the argument region is an object or a list, which no Mcp-Param-Region header can match',
    );
  });

  it.each(['us', '', false, 0, {}, []])('is required for %j', (value) => {
    expect(() => check('string', undefined, value)).toThrow(
      new Error(
        "Header mismatch: the Mcp-Param-Region header is missing. It carries the argument region, as the tool's inputSchema says.",
      ),
    );
  });

  it.each([null, undefined])('is not expected for %j, and not taken either', (value) => {
    expect(() => check('string', undefined, value)).not.toThrow();
    for (const header of ['us', '', 'null']) {
      expect(() => check('string', header, value)).toThrow(
        new Error(
          'Header mismatch: the Mcp-Param-Region header is there, and the argument region is not. Leave the header out.',
        ),
      );
    }
  });

  it('is given once', () => {
    expect(() => check('string', ['us', 'us'], 'us')).toThrow(
      new Error('Header mismatch: the Mcp-Param-Region header is repeated. Send it once.'),
    );
  });

  it('does not repeat a long value whole', () => {
    expect(() => check('string', 'x', 'y'.repeat(10_000))).toThrow(
      new Error(
        `Header mismatch: Mcp-Param-Region header value "x" does not match body value "${'y'.repeat(200)}"…`,
      ),
    );
  });

  it('is read from the exact path', () => {
    const params = [param('string', 'where', 'region')];
    const given = exchange({ 'mcp-param-region': 'us' });
    const none = exchange({});
    expect(() => checkHeaderParams(params, given, { where: { region: 'us' } })).not.toThrow();
    for (const args of [{}, { where: {} }, { where: null }, { where: 'us' }, { where: ['us'] }]) {
      expect(() => checkHeaderParams(params, none, args)).not.toThrow();
      expect(() => checkHeaderParams(params, given, args)).toThrow('Leave the header out.');
    }
    expect(() => checkHeaderParams(params, given, { region: 'us' })).toThrow(
      'the argument where.region is not',
    );
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'of an argument called %s is not read from what every object has',
    (name) => {
      expect(() => checkHeaderParams([param('string', name)], exchange({}), {})).not.toThrow();
    },
  );

  it('is not looked for over stdio', () => {
    const stdio = exchange({}, 'stdio');
    expect(() =>
      checkHeaderParams([param('string', 'region')], stdio, { region: 'us' }),
    ).not.toThrow();
  });
});
