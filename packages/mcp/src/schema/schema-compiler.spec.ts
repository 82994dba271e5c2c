import { IsInt, IsOptional, IsString, Matches, Min, ValidateNested } from 'class-validator';
import { Expose, Type as Nested } from 'class-transformer';
import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { compileSchema, emptySchema } from './schema-compiler.js';
import type { StandardIssue, StandardSchema } from './standard-schema.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

class Child {
  @IsString()
  name!: string;
}

class Parent {
  @IsInt()
  @Min(1)
  age = 30;

  @IsOptional()
  @Matches(/^[A-Z]+$/, { message: 'must be letters' })
  code?: string;

  @ValidateNested()
  @Nested(() => Child)
  child!: Child;
}

/** A Standard Schema that gives one fixed verdict. */
function standard(
  verdict: Awaited<ReturnType<StandardSchema['~standard']['validate']>>,
  late = false,
): StandardSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'acme',
      validate: () => (late ? Promise.resolve(verdict) : verdict),
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'string' }) },
    },
  };
}

describe('a schema from a DTO class', () => {
  const schema = compileSchema(Parent, 'input');

  it('shows its JSON Schema', () => {
    expect(schema.json).toEqual({
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 1, default: 30 },
        code: { type: 'string', pattern: '^[A-Z]+$' },
        child: { $ref: '#/$defs/Child' },
      },
      required: ['child'],
      additionalProperties: false,
      $defs: {
        Child: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
    });
  });

  it('accepts with instances and initial values', async () => {
    const result = await schema.validate({ child: { name: 'x' } });
    if (!result.ok) throw new Error('was refused');
    expect(result.value).toBeInstanceOf(Parent);
    expect((result.value as Parent).child).toBeInstanceOf(Child);
    expect(result.value).toEqual({ age: 30, child: { name: 'x' } });
  });

  it('accepts a result as plain data, under the names that it shows', async () => {
    class Renamed {
      @IsInt() @Expose({ name: 'user_id' }) userId!: number;
      @ValidateNested() @Nested(() => Child) child!: Child;
    }
    const output = compileSchema(Renamed, 'output');
    expect(output.json.required).toEqual(['user_id', 'child']);
    const result = await output.validate({ user_id: 7, child: { name: 'Ada' } });
    expect(result).toStrictEqual({ ok: true, value: { user_id: 7, child: { name: 'Ada' } } });
    const refused = await output.validate({ user_id: 7, child: { name: 1 } });
    expect(refused).toMatchObject({ ok: false });
  });

  it('refuses what its decorators refuse', async () => {
    expect(await schema.validate({ child: { name: 1 } })).toEqual({
      ok: false,
      problems: [{ path: 'child.name', message: 'must be a string' }],
    });
    expect(await schema.validate([])).toEqual({
      ok: false,
      problems: [{ path: '', message: 'must be object' }],
    });
    expect(await schema.validate({ child: { name: 'x' }, other: 1 })).toEqual({
      ok: false,
      problems: [{ path: 'other', message: 'is not known here' }],
    });
  });

  it.each(['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}'])(
    'refuses %s before anything is made of it',
    async (json) => {
      const result = await schema.validate({
        ...(JSON.parse(json) as object),
        child: { name: 'x' },
      });
      expect(result.ok).toBe(false);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );

  // A handler is written for the types of its DTO: whatever else it may hold, the shape is right.
  it.each<[string, string]>([
    ['a list in place of a nested object', '{"child":[{"name":"x"}]}'],
    ['an empty list in place of a nested object', '{"child":[]}'],
    ['a list of lists in place of a nested object', '{"child":[[]]}'],
    ['no nested object', '{}'],
    ['null in place of a nested object', '{"child":null}'],
    ['text in place of a nested object', '{"child":"x"}'],
  ])('refuses %s', async (_, json) => {
    expect(await schema.validate(JSON.parse(json))).toMatchObject({ ok: false });
  });

  it.each<[string, string]>([
    ['an object in place of a list of objects', '{"kids":{"name":"x"},"tags":[]}'],
    ['a list of lists in place of a list of objects', '{"kids":[[{"name":"x"}]],"tags":[]}'],
    ['null in a list of objects', '{"kids":[null],"tags":[]}'],
    ['no list of objects', '{"tags":[]}'],
    ['text in place of a list of texts', '{"kids":[],"tags":"x"}'],
    ['an object in place of a list of texts', '{"kids":[],"tags":{"a":"x"}}'],
  ])('refuses %s', async (_, json) => {
    class Family {
      @ValidateNested({ each: true })
      @Nested(() => Child)
      kids!: Child[];

      @IsString({ each: true })
      tags!: string[];
    }
    expect(await compileSchema(Family, 'input').validate(JSON.parse(json))).toMatchObject({
      ok: false,
    });
  });

  it('refuses strangers that have the name of what every object has', async () => {
    for (const json of [
      '{"child":{"name":"x"},"toString":1}',
      '{"child":{"name":"x"},"hasOwnProperty":1}',
      '{"child":{"name":"x","constructor":1}}',
      '{"child":{"name":"x","__proto__":{}}}',
    ]) {
      expect(await schema.validate(JSON.parse(json))).toMatchObject({ ok: false });
    }
  });

  it('refuses what is nested too deep, and does not fail over it', async () => {
    class Chain {
      @IsOptional()
      @ValidateNested()
      @Nested(() => Chain)
      next?: Chain;
    }
    const deep = '{"next":'.repeat(20_000) + '{}' + '}'.repeat(20_000);
    expect(await compileSchema(Chain, 'input').validate(JSON.parse(deep))).toMatchObject({
      ok: false,
    });
  });

  it('makes instances of a nested class whose @Type() is missing, by its type', async () => {
    class Holder {
      @ValidateNested()
      child!: Child;
    }
    const result = await compileSchema(Holder, 'input').validate({ child: { name: 'x' } });
    if (!result.ok) throw new Error('was refused');
    expect((result.value as Holder).child).toBeInstanceOf(Child);
  });

  it.each<[string, unknown]>([
    ['{"child":{"name":"x","other":1}}', { path: 'child.other', message: 'is not known here' }],
    ['{"child":[]}', { path: 'child', message: 'must be object' }],
    ['{"child":{}}', { path: 'child', message: "must have required property 'name'" }],
  ])('says of an optional nested object only what is wrong: %s', async (json, problem) => {
    class Holder {
      @IsOptional()
      @ValidateNested()
      @Nested(() => Child)
      child?: Child;
    }
    expect(await compileSchema(Holder, 'input').validate(JSON.parse(json))).toEqual({
      ok: false,
      problems: [problem],
    });
    expect(await compileSchema(Holder, 'input').validate({ child: null })).toMatchObject({
      ok: true,
    });
  });

  it('refuses a class without decorators', () => {
    class Bare {}
    expect(() => compileSchema(Bare, 'input')).toThrow(
      new Error('the class Bare has no class-validator decorators'),
    );
  });
});

describe('a schema from zod', () => {
  const Person = z.object({
    name: z.string().min(2),
    age: z.number().default(30),
    tags: z.array(z.object({ id: z.int() })).optional(),
  });

  it('shows its input side for arguments', () => {
    expect(compileSchema(Person, 'input').json).toEqual({
      $schema: DIALECT,
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2 },
        age: { type: 'number', default: 30 },
        tags: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: {
                type: 'integer',
                minimum: Number.MIN_SAFE_INTEGER,
                maximum: Number.MAX_SAFE_INTEGER,
              },
            },
            required: ['id'],
          },
        },
      },
      required: ['name'],
    });
  });

  it('shows its output side for results', () => {
    expect(compileSchema(z.object({ age: z.number().default(30) }), 'output').json).toEqual({
      $schema: DIALECT,
      type: 'object',
      properties: { age: { type: 'number', default: 30 } },
      required: ['age'],
      additionalProperties: false,
    });
  });

  it('accepts with defaults and transformations, and drops strangers', async () => {
    const schema = compileSchema(
      Person.extend({ code: z.string().transform((code) => code.length) }),
      'input',
    );
    expect(await schema.validate({ name: 'Ada', code: 'abc', other: 1 })).toEqual({
      ok: true,
      value: { name: 'Ada', age: 30, code: 3 },
    });
  });

  it('names every problem by its path', async () => {
    const result = await compileSchema(Person, 'input').validate({
      name: 'A',
      tags: [{ id: 1 }, { id: 'x' }],
    });
    expect(result).toEqual({
      ok: false,
      problems: [
        { path: 'name', message: 'Too small: expected string to have >=2 characters' },
        { path: 'tags.1.id', message: 'Invalid input: expected number, received string' },
      ],
    });
  });

  it('may be checked asynchronously', async () => {
    const schema = compileSchema(
      z.object({ name: z.string().refine(async (name) => name === 'ada', 'is taken') }),
      'input',
    );
    expect(await schema.validate({ name: 'ada' })).toEqual({ ok: true, value: { name: 'ada' } });
    expect(await schema.validate({ name: 'bob' })).toEqual({
      ok: false,
      problems: [{ path: 'name', message: 'is taken' }],
    });
  });

  it.each<[string, StandardSchema, 'input' | 'output']>([
    ['a date', z.object({ at: z.date() }), 'input'],
    ['the result of a transformation', z.object({ n: z.string().transform(Number) }), 'output'],
  ])('is refused when JSON Schema cannot describe %s', (_, schema, side) => {
    expect(() => compileSchema(schema, side)).toThrow('cannot be represented in JSON Schema');
  });
});

describe('a schema from any Standard Schema', () => {
  it('is asked for the side that is shown, in 2020-12', () => {
    const asked: unknown[] = [];
    const schema = standard({ value: 1 });
    const jsonSchema = schema['~standard'].jsonSchema as NonNullable<
      StandardSchema['~standard']['jsonSchema']
    >;
    const watched: StandardSchema = {
      '~standard': {
        ...schema['~standard'],
        jsonSchema: {
          input: (options) => (asked.push(['input', options]), jsonSchema.input(options)),
          output: (options) => (asked.push(['output', options]), jsonSchema.output(options)),
        },
      },
    };
    expect(compileSchema(watched, 'input').json).toEqual({ type: 'object' });
    expect(compileSchema(watched, 'output').json).toEqual({ type: 'string' });
    expect(asked).toEqual([
      ['input', { target: 'draft-2020-12' }],
      ['output', { target: 'draft-2020-12' }],
    ]);
  });

  it.each<[string, StandardIssue, string]>([
    ['no path', { message: 'bad' }, ''],
    ['an empty path', { message: 'bad', path: [] }, ''],
    ['keys', { message: 'bad', path: ['a', 0, 'b'] }, 'a.0.b'],
    ['keys in objects', { message: 'bad', path: [{ key: 'a' }, { key: 0 }] }, 'a.0'],
    ['a symbol', { message: 'bad', path: [Symbol('s')] }, 'Symbol(s)'],
  ])('reads an issue with %s', async (_, issue, path) => {
    const problems = [{ path, message: 'bad' }];
    for (const late of [false, true]) {
      const schema = compileSchema(standard({ issues: [issue] }, late), 'input');
      expect(await schema.validate({})).toEqual({ ok: false, problems });
    }
  });

  it('may be a function', async () => {
    const schema = Object.assign(() => 1, standard({ value: 'made' }));
    expect(await compileSchema(schema, 'input').validate({})).toEqual({ ok: true, value: 'made' });
  });

  it('waits for a verdict that is a promise of another kind', async () => {
    const thenable = {
      then: (resolve: (verdict: unknown) => void) => resolve({ issues: [{ message: 'bad' }] }),
    };
    const schema = compileSchema(standard(thenable as never), 'input');
    expect(await schema.validate({})).toEqual({
      ok: false,
      problems: [{ path: '', message: 'bad' }],
    });
  });

  it('is refused when it cannot describe itself, naming the vendor', () => {
    const { jsonSchema: _missing, ...mute } = standard({ value: 1 })['~standard'];
    expect(() => compileSchema({ '~standard': mute }, 'input')).toThrow(
      new Error(
        'this version of acme cannot describe its schemas as JSON Schema (Standard JSON Schema)',
      ),
    );
  });
});

describe('a schema from JSON Schema', () => {
  it('is shown as it was written', () => {
    const json: JsonSchema = {
      $schema: DIALECT,
      type: 'object',
      properties: { a: { $ref: '#/$defs/a', 'x-mcp-header': 'A' } },
      $defs: { a: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
    };
    expect(compileSchema(json, 'input').json).toBe(json);
  });

  it('accepts with the value itself', () => {
    const value = { a: 1 };
    const result = compileSchema({ type: 'object' }, 'input').validate(value);
    expect(result).toEqual({ ok: true, value });
    expect((result as { value: unknown }).value).toBe(value);
  });

  it('refuses at once', () => {
    expect(compileSchema({ type: 'object' }, 'input').validate(1)).toEqual({
      ok: false,
      problems: [{ path: '', message: 'must be object' }],
    });
  });

  it('is refused when it is invalid', () => {
    expect(() => compileSchema({ type: 'text' }, 'input')).toThrow('schema is invalid');
  });
});

describe('a schema from anything else', () => {
  it.each([null, undefined, true, 'x', 5, []])('is refused: %p', (source) => {
    expect(() => compileSchema(source as never, 'input')).toThrow(
      new Error('it is neither a class, a Standard Schema nor a JSON Schema object'),
    );
  });
});

describe('emptySchema', () => {
  it('accepts no arguments', () => {
    const { json, validate } = emptySchema();
    expect(json).toEqual({ type: 'object', additionalProperties: false });
    expect(validate({})).toEqual({ ok: true, value: {} });
    expect(validate({ a: 1 })).toEqual({
      ok: false,
      problems: [{ path: 'a', message: 'is not known here' }],
    });
  });
});
