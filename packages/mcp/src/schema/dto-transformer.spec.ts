import { Exclude, Expose, plainToInstance, Transform, Type as Nested } from 'class-transformer';
import { dtoInstance } from './dto-transformer.js';

class Inner {
  a?: string;
  free?: unknown;

  twice(): string {
    return `${this.a}${this.a}`;
  }
}

class Dto {
  name = 'initial';
  free?: unknown;

  @Nested(() => Object)
  named?: unknown;

  @Nested(() => Inner)
  inner?: Inner;

  @Nested(() => Inner)
  inners?: Inner[];

  @Nested(() => Inner)
  byName?: Map<string, Inner>;

  @Nested(() => Object)
  loose?: Map<string, unknown>;

  @Nested(() => String)
  texts?: Set<string>;

  @Nested(() => Date)
  at?: Date;

  @Nested(() => Number)
  number?: number;

  @Transform(({ value, key, obj }: { value: unknown; key: string; obj: { name?: string } }) => ({
    value,
    key,
    of: obj.name,
  }))
  made?: unknown;

  @Expose({ name: 'given' })
  kept?: unknown;

  @Exclude()
  hidden?: unknown;
}

/** Names that every object inherits, or that mean something to libraries. */
const ODD = JSON.parse(`{
  "constructor": "x", "prototype": { "constructor": { "name": "x", "prototype": null } },
  "toString": "x", "valueOf": 1, "hasOwnProperty": null, "isPrototypeOf": [{ "constructor": 1 }],
  "then": "x", "length": 5, "0": 1, "size": 1, "get": 1, "_isBuffer": true, "__defineGetter__": {}
}`) as object;

describe('dtoInstance', () => {
  it.each([
    ['an object', ODD],
    ['an object in an object', { a: { b: ODD } }],
    ['a list', [ODD, [ODD, [1]], null, 'x', true]],
    ['null', null],
    ['a text', '__proto__'],
    ['an empty list', []],
  ])('hands on what has no class as it came: %s', (_, value) => {
    const dto = dtoInstance(Dto, {
      free: value,
      named: value,
      inner: { free: value },
      inners: [{ free: value }],
      given: value,
    });
    expect(dto.free).toEqual(value);
    expect(dto.named).toEqual(value);
    expect(dto.inner?.free).toEqual(value);
    expect(dto.inners?.[0]?.free).toEqual(value);
    expect(dto.kept).toEqual(value);
    expect(JSON.stringify(dto.free)).toBe(JSON.stringify(value));
  });

  it('gives @Transform() such a value, its key and the whole', () => {
    expect(dtoInstance(Dto, { name: 'ada', made: ODD }).made).toEqual({
      value: ODD,
      key: 'made',
      of: 'ada',
    });
  });

  it('makes all else as class-transformer does', () => {
    const json = (): object => ({
      inner: { a: 'x' },
      inners: [{ a: 'y' }, null],
      byName: { one: { a: 'z' } },
      loose: { one: { a: 1 }, two: [2] },
      texts: ['a', 'a', 'b'],
      at: '2026-07-28',
      number: '5',
      made: [1],
      given: 'k',
      hidden: 'h',
    });
    const dto = dtoInstance(Dto, json());
    expect(dto).toEqual(plainToInstance(Dto, json()));
    expect(dto).toBeInstanceOf(Dto);
    expect(dto.name).toBe('initial');
    expect(dto.inner).toBeInstanceOf(Inner);
    expect(dto.inners?.[0]?.twice()).toBe('yy');
    expect(dto.byName?.get('one')).toBeInstanceOf(Inner);
    expect(dto.loose?.get('two')).toEqual([2]);
    expect(dto.texts).toEqual(new Set(['a', 'b']));
    expect(dto.at).toBeInstanceOf(Date);
    expect(dto.number).toBe(5);
  });

  it('hands on no __proto__, at any depth, and changes no prototype', () => {
    const evil = '{"__proto__":{"polluted":1},"k":[{"__proto__":{"polluted":1},"k":1}]}';
    const json = JSON.parse(`{"free":${evil},"named":${evil},"made":${evil}}`) as object;
    const dto = dtoInstance(Dto, json);
    expect(JSON.stringify(dto)).not.toContain('polluted');
    const free = dto.free as { k: object[] };
    for (const object of [free, dto.named, free.k[0]]) {
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      expect(object).toHaveProperty('k');
      expect((object as { polluted?: unknown }).polluted).toBeUndefined();
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('shares nothing with the JSON', () => {
    const json = { free: { list: [{ a: 1 }] } };
    const free = dtoInstance(Dto, json).free as typeof json.free;
    free.list[0] = { a: 2 };
    free.list.push({ a: 3 });
    expect(json).toEqual({ free: { list: [{ a: 1 }] } });
  });
});
