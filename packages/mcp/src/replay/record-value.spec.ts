import { Readable } from 'node:stream';
import { defer, map, of } from 'rxjs';
import { recordText } from './record-value.js';

class Money {
  constructor(
    readonly cents: number,
    readonly currency: string,
  ) {}

  toJSON(): string {
    return `${this.cents} ${this.currency}`;
  }
}

class Account {
  id = 7;
  readonly close = (): void => undefined;

  open(): void {
    // Methods are on the prototype, where JSON does not look.
  }
}

function itself(this: unknown): unknown {
  return this;
}

class Balance {
  readonly #cents = 5;

  get cents(): number {
    return this.#cents;
  }
}

class Overdraft extends Balance {}

const circle: Record<string, unknown> = { a: {} };
circle['a'] = [circle];

let deep: unknown = null;
for (let level = 0; level < 257; level += 1) deep = [deep];

describe('recordText', () => {
  it.each<[string, unknown, string | undefined]>([
    ['nothing', undefined, undefined],
    ['null', null, 'null'],
    ['text', 'ä', '"ä"'],
    ['a number', -0.5, '-0.5'],
    ['a list with holes', [1, undefined, null], '[1,null,null]'],
    ['an object with members that are not there', { a: undefined, b: 1 }, '{"b":1}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['what says how it is JSON', { price: new Money(5, 'EUR') }, '{"price":"5 EUR"}'],
    ['what says that it is JSON as it is', { toJSON: itself, a: 1 }, '{"a":1}'],
    ['an instance, without its functions', new Account(), '{"id":7}'],
    [
      'an object without a prototype',
      Object.assign(Object.create(null) as object, { a: 1 }),
      '{"a":1}',
    ],
    ['an object without members', { a: {}, b: new (class Nothing {})() }, '{"a":{},"b":{}}'],
    ['an empty list', [], '[]'],
    ['one object in two places', [circle['b'], circle['b']], '[null,null]'],
  ])('takes %s', (_, value, text) => {
    expect(recordText(value)).toEqual({ ok: true, text });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['a BigInt', { balance: 5n }, 'the value.balance is a BigInt', /toString/],
    ['NaN', [1, Number.NaN], 'the value[1] is NaN', /finite/],
    ['infinity', Number.POSITIVE_INFINITY, 'the value is Infinity', /finite/],
    ['an invalid date', { at: new Date(Number.NaN) }, 'the value.at is NaN', /finite/],
    ['a function', () => 1, 'the value is a function', /data/],
    ['a function in a list', [() => 1], 'the value[0] is a function', /data/],
    ['a symbol', Symbol('s'), 'the value is a symbol', /data/],
    ['a map', { rows: new Map() }, 'the value.rows is a Map', /\[\.\.\.value\]/],
    ['a set', new Set(), 'the value is a Set', /\[\.\.\.value\]/],
    ['a weak map', new WeakMap(), 'the value is a WeakMap', /list/],
    ['a buffer', Buffer.from('a'), 'the value is binary', /base64/],
    ['bytes', { a: new Uint8Array(1) }, 'the value.a is binary', /base64/],
    ['a promise', [Promise.resolve(1)], 'the value[0] is a promise', /Await it/],
    ['an error', { failed: new TypeError('x') }, 'the value.failed is an error', /Throw it/],
    ['a regular expression', /a/, 'the value is a regular expression', /source/],
    ['an Observable', of(1), 'the value is an Observable', /firstValueFrom\(value\)/],
    [
      'a piped one',
      { paid: of(1).pipe(map((cents) => `${cents}`)) },
      'the value.paid is an Observable',
      /Await/,
    ],
    ['one that has not begun', [defer(() => [1])], 'the value[0] is an Observable', /Await/],
    ['an iterator', ['a'].values(), 'the value is iterable', /list of its items/],
    ['a stream', { body: Readable.from(['a']) }, 'the value.body is iterable', /list/],
    ['headers', { headers: new Headers() }, 'the value.headers is iterable', /list/],
    [
      'a response',
      new Response('a'),
      'the value is an instance of Response, of which JSON sees nothing',
      /plain/,
    ],
    [
      'a blob',
      [new Blob(['a'])],
      'the value[0] is an instance of Blob, of which JSON sees nothing',
      /plain/,
    ],
    [
      'what keeps its members to itself',
      { account: new Overdraft() },
      'the value.account is an instance of Overdraft, of which JSON sees nothing',
      /plain/,
    ],
    ['a circle', circle, 'the value.a[0] contains itself', /identifiers/],
    [
      'what is too deep',
      deep,
      expect.stringMatching(/nested more than 256 levels deep$/) as string,
      /less/,
    ],
    ['what turns into a BigInt', { toJSON: () => 5n }, 'the value is a BigInt', /toString/],
    [
      'what turns into a date, of which JSON keeps nothing',
      { order: { toJSON: () => new Date(0) } },
      'the value.order has a toJSON() that gives an object with another, which JSON does not call',
      /Call it/,
    ],
    [
      'what turns into what says how it is JSON',
      { toJSON: () => new Money(5, 'EUR') },
      'the value has a toJSON() that gives an object with another, which JSON does not call',
      /Call it/,
    ],
  ])('refuses %s', (_, value, fact, mend) => {
    expect(recordText(value)).toEqual({
      ok: false,
      fact,
      mend: expect.stringMatching(mend) as string,
    });
  });

  it.each<[string, () => unknown]>([
    [
      'an error',
      () => {
        throw new Error('no connection');
      },
    ],
    [
      'text',
      () => {
        throw 'no connection' as unknown as Error;
      },
    ],
  ])('says what keeps a value from being read: %s', (_, get) => {
    const value = Object.defineProperty({}, 'lazy', { enumerable: true, get });
    expect(recordText(value)).toEqual({
      ok: false,
      fact: 'the value cannot be read: no connection',
      mend: 'Return plain data',
    });
  });
});
