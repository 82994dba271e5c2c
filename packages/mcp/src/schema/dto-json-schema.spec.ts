import type { Type } from '@nestjs/common';
import { Type as Nested } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  Contains,
  IsDateString,
  IsIP,
  IsISO8601,
  IsNotEmpty,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  NotContains,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { McpHeader } from '../decorators/index.js';
import { dtoJsonSchema, isDto } from './dto-json-schema.js';
import { compileJsonSchema } from './json-schema.validator.js';

enum Numbers {
  Zero,
  One,
}

enum Texts {
  A = 'a',
  B = 'b',
}

const Mixed = { 0: 'Zero', Zero: 0, Text: 'text', 5: 'Five', Five: 5 };
const Aliased = { 1: 'Uno', One: 1, Uno: 1 };

enum Odd {
  Negative = -1,
  Broken = 2.5,
}

/** Values whose names are the values of others. */
enum Crossed {
  a = 'b',
  b = 'a',
}

class Item {
  @IsString()
  name!: string;

  @IsInt()
  count = 1;
}

/** The schema of one property called `p`. */
function property(decorators: PropertyDecorator[], type: unknown = String): unknown {
  class Dto {
    p!: unknown;
  }
  Reflect.defineMetadata('design:type', type, Dto.prototype, 'p');
  for (const decorator of decorators) decorator(Dto.prototype, 'p');
  return dtoJsonSchema(Dto).properties?.['p'];
}

describe('dtoJsonSchema', () => {
  it('describes a class, requires its properties and accepts no others', () => {
    class Plain {
      @IsString()
      @Length(2, 4)
      name!: string;

      @IsOptional()
      @IsInt()
      @Min(1)
      @Max(5)
      age?: number;

      @IsEmail()
      email!: string;
    }
    expect(dtoJsonSchema(Plain)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 4 },
        age: { type: 'integer', minimum: 1, maximum: 5 },
        email: { type: 'string', format: 'email' },
      },
      required: ['name', 'email'],
      additionalProperties: false,
    });
  });

  it('leaves out "required" when everything is optional', () => {
    class Loose {
      @IsOptional()
      @IsString()
      a?: string;
    }
    expect(dtoJsonSchema(Loose)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    });
  });

  it.each<[string, PropertyDecorator[], unknown]>([
    ['an enum of numbers', [IsEnum(Numbers)], { enum: [0, 1] }],
    ['an enum of texts', [IsEnum(Texts)], { enum: ['a', 'b'] }],
    ['an enum of both', [IsEnum(Mixed)], { enum: [0, 'text', 5] }],
    ['an enum of odd numbers', [IsEnum(Odd)], { enum: [-1, 2.5] }],
    ['an enum with two names for a value', [IsEnum(Aliased)], { enum: [1, 1] }],
    ['an enum of crossed texts', [IsEnum(Crossed)], { enum: ['b', 'a'] }],
    ['a constant object', [IsEnum({ LOW: 1, HIGH: 2 })], { enum: [1, 2] }],
    ['a list of texts as an enum', [IsEnum(['x', 'y'])], { enum: ['x', 'y'] }],
    ['a list of numbers as an enum', [IsEnum([1, 2])], { enum: [1, 2] }],
    ['a choice', [IsIn(['x', 'y'])], { type: 'string', enum: ['x', 'y'] }],
    ['a url', [IsUrl()], { type: 'string', format: 'uri' }],
    ['a pattern', [Matches(/^a/)], { type: 'string', pattern: '^a' }],
  ])('describes %s', (_, decorators, schema) => {
    expect(property(decorators)).toEqual(schema);
  });

  it.each<[string, PropertyDecorator[], unknown]>([
    ['texts', [IsString({ each: true })], { type: 'string' }],
    ['an enum of texts', [IsEnum(Texts, { each: true })], { enum: ['a', 'b'] }],
    ['an enum of numbers', [IsEnum(Numbers, { each: true })], { enum: [0, 1] }],
    ['choices', [IsIn(['x'], { each: true })], { type: 'string', enum: ['x'] }],
  ])('describes a list of %s', (_, decorators, items) => {
    expect(property([IsArray(), ArrayMinSize(1), ArrayMaxSize(3), ...decorators], Array)).toEqual({
      type: 'array',
      items,
      minItems: 1,
      maxItems: 3,
    });
  });

  it('puts nested classes and lists of them under $defs, once each', () => {
    class Order {
      @ValidateNested()
      @Nested(() => Item)
      first!: Item;

      @ValidateNested()
      second!: Item;

      @IsArray()
      @ValidateNested({ each: true })
      @Nested(() => Item)
      rest!: Item[];
    }
    expect(dtoJsonSchema(Order)).toEqual({
      type: 'object',
      properties: {
        first: { $ref: '#/$defs/Item' },
        second: { $ref: '#/$defs/Item' },
        rest: { type: 'array', items: { $ref: '#/$defs/Item' } },
      },
      required: ['first', 'second', 'rest'],
      additionalProperties: false,
      $defs: {
        Item: {
          type: 'object',
          properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } },
          required: ['name'],
          additionalProperties: false,
        },
      },
    });
  });

  it('follows classes nested in nested ones, and a class in itself', () => {
    class Leaf {
      @IsString()
      text!: string;
    }
    class Branch {
      @ValidateNested()
      @Nested(() => Leaf)
      leaf!: Leaf;

      @IsOptional()
      @ValidateNested()
      @Nested(() => Branch)
      branch?: object;
    }
    class Tree {
      @ValidateNested()
      @Nested(() => Branch)
      branch!: Branch;
    }
    const schema = dtoJsonSchema(Tree);
    expect(Object.keys(schema.$defs ?? {})).toEqual(['Branch', 'Leaf']);
    const check = compileJsonSchema(schema);
    const leaf = { text: 'x' };
    expect(check({ branch: { leaf, branch: { leaf } } }).ok).toBe(true);
    expect(check({ branch: { leaf, branch: { leaf: { text: 1 } } } })).toEqual({
      ok: false,
      problems: [{ path: 'branch.branch.leaf.text', message: 'must be string' }],
    });
  });

  it('inherits properties, and lets a class sharpen them', () => {
    class Base {
      @IsString()
      id!: string;

      @IsString()
      contact!: string;

      @IsInt()
      level = 1;
    }
    class Derived extends Base {
      @IsEmail()
      declare contact: string;

      @IsBoolean()
      own!: boolean;

      override level = 2;
    }
    expect(dtoJsonSchema(Derived)).toEqual({
      type: 'object',
      properties: {
        contact: { type: 'string', format: 'email' },
        own: { type: 'boolean' },
        id: { type: 'string' },
        level: { type: 'integer', default: 2 },
      },
      required: ['contact', 'own', 'id'],
      additionalProperties: false,
    });
    expect(dtoJsonSchema(Base).properties?.['contact']).toEqual({ type: 'string' });
  });

  it('shows initial values as defaults, false and empty ones too', () => {
    class Settings {
      @IsBoolean()
      on = false;

      @IsString()
      text = '';

      @IsNumber()
      ratio = 0;

      @IsOptional()
      @IsString()
      nothing: string | null = null;

      @IsString()
      unset: string | undefined = undefined;
    }
    expect(dtoJsonSchema(Settings)).toEqual({
      type: 'object',
      properties: {
        on: { type: 'boolean', default: false },
        text: { type: 'string', default: '' },
        ratio: { type: 'number', default: 0 },
        nothing: { type: 'string' },
        unset: { type: 'string' },
      },
      required: ['unset'],
      additionalProperties: false,
    });
  });

  it('shows an initial list as a default, and does not require it', () => {
    class Tags {
      @IsArray()
      @IsString({ each: true })
      tags: string[] = [];
    }
    expect(dtoJsonSchema(Tags)).toEqual({
      type: 'object',
      properties: { tags: { type: 'array', items: { type: 'string' }, default: [] } },
      additionalProperties: false,
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'does not show %s as a default, which JSON cannot carry',
    (value) => {
      class Broken {
        @IsNumber()
        p = value;
      }
      expect(JSON.stringify(dtoJsonSchema(Broken).properties)).toBe('{"p":{"type":"number"}}');
    },
  );

  it('describes a class whose constructor wants arguments, without defaults', () => {
    class Wanting {
      @IsNumber()
      port: number;

      constructor(config: { port: number }) {
        this.port = config.port;
      }
    }
    expect(dtoJsonSchema(Wanting as unknown as Type<object>)).toEqual({
      type: 'object',
      properties: { port: { type: 'number' } },
      required: ['port'],
      additionalProperties: false,
    });
  });

  it('gives a schema of its own each time', () => {
    const first = dtoJsonSchema(Item);
    (first.properties as Record<string, unknown>)['name'] = 'changed';
    first.required?.push('changed');
    expect(dtoJsonSchema(Item)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } },
      required: ['name'],
      additionalProperties: false,
    });
  });

  // A client that believes the schema must not be kept from what the decorators accept.
  it.each<[string, PropertyDecorator[], unknown, unknown]>([
    ['@IsDateString() a date', [IsDateString()], String, '2026-07-28'],
    ['@IsDateString() a moment', [IsDateString()], String, '2026-07-28T12:00:00Z'],
    ['@IsDateString() milliseconds', [IsDateString()], String, '2026-07-28T12:00:00.000Z'],
    ['@IsISO8601() a date', [IsISO8601()], String, '2026-07-28'],
    ['@IsISO8601() a moment', [IsISO8601()], String, '2026-07-28T12:00:00Z'],
    ['@IsIP() version 6', [IsIP()], String, '::1'],
    ['@IsNotEmpty() @IsInt()', [IsNotEmpty(), IsInt()], Number, 5],
    ['@IsInt() @IsNotEmpty()', [IsInt(), IsNotEmpty()], Number, 5],
    ['@IsNotEmpty() @IsBoolean()', [IsNotEmpty(), IsBoolean()], Boolean, true],
    ['@IsNotEmpty() @IsEnum() of numbers', [IsNotEmpty(), IsEnum(Numbers)], Number, 1],
    ['@IsNotEmpty() @IsArray()', [IsNotEmpty(), IsArray(), IsString({ each: true })], Array, ['x']],
    [
      '@IsNotEmpty() @ValidateNested()',
      [IsNotEmpty(), ValidateNested(), Nested(() => Item)],
      Item,
      { name: 'x' },
    ],
    [
      '@ValidateNested() @IsNotEmpty()',
      [ValidateNested(), Nested(() => Item), IsNotEmpty()],
      Item,
      { name: 'x' },
    ],
    ['@Matches() without regard to case', [Matches(/^a/i)], String, 'Abc'],
    ['@Matches() where a dot is any character', [Matches(/^a.b$/s)], String, 'a\nb'],
    [
      '@Matches() with an escape that is not needed',
      [Matches(new RegExp('^[\\w-\\.]+$'))],
      String,
      'a-b.c',
    ],
    ['@Contains() a bracket', [Contains('(')], String, 'f('],
    ['@NotContains() a dot', [NotContains('.')], String, 'ab'],
  ])('lets pass what the decorators accept: %s', (_, decorators, type, p) => {
    class Dto {
      p!: unknown;
    }
    Reflect.defineMetadata('design:type', type, Dto.prototype, 'p');
    for (const decorator of decorators.toReversed()) decorator(Dto.prototype, 'p');
    expect(compileJsonSchema(dtoJsonSchema(Dto))({ p })).toEqual({ ok: true, value: { p } });
  });

  it('shows a whole number as one, whatever stands above @IsInt()', () => {
    expect(property([IsInt(), Min(1)], Number)).toEqual({ type: 'integer', minimum: 1 });
    expect(property([Min(1), IsInt()], Number)).toEqual({ type: 'integer', minimum: 1 });
  });

  it('refuses a class without decorators', () => {
    class Bare {
      name!: string;
    }
    expect(() => dtoJsonSchema(Bare)).toThrow(
      new Error('the class Bare has no class-validator decorators'),
    );
  });

  it('refuses a nested class without decorators, by its name', () => {
    class Bare {
      name!: string;
    }
    class Holder {
      @ValidateNested()
      @Nested(() => Bare)
      bare!: Bare;
    }
    expect(() => dtoJsonSchema(Holder)).toThrow(
      new Error('the class Bare has no class-validator decorators'),
    );
  });

  it.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__defineGetter__'])(
    'refuses a property that is called like what every object inherits: %s',
    (name) => {
      class Odd {}
      IsString()(Odd.prototype, name);
      class Holder {
        @ValidateNested()
        @Nested(() => Odd)
        odd!: Odd;
      }
      class Heir extends Odd {
        @IsString()
        own!: string;
      }
      for (const dto of [Odd, Holder, Heir]) {
        expect(() => dtoJsonSchema(dto)).toThrow(
          `${name} is called like what every object inherits, and cannot be checked; rename it`,
        );
      }
    },
  );

  it('minds no methods of such names', () => {
    class Named extends Item {
      override toString(): string {
        return this.name;
      }
    }
    expect(dtoJsonSchema(Named)).toEqual(dtoJsonSchema(Item));
  });

  it('refuses a list of nested classes whose class nobody names, by the property', () => {
    class Holder {
      @IsArray()
      @ValidateNested({ each: true })
      items!: Item[];
    }
    expect(() => dtoJsonSchema(Holder)).toThrow(/items/);
  });

  it('refuses two nested classes of one name', () => {
    const other = (): Type<object> => {
      class Item {
        @IsString()
        other!: string;
      }
      return Item;
    };
    const Other = other();
    class Two {
      @ValidateNested()
      @Nested(() => Item)
      a!: Item;

      @ValidateNested()
      @Nested(() => Other)
      b!: object;
    }
    expect(() => dtoJsonSchema(Two)).toThrow(
      new Error('two nested classes are called Item; rename one'),
    );
  });

  it('tells a class from a nested one of the same name', () => {
    const outer = (): Type<object> => {
      class Item_ {
        @ValidateNested()
        @Nested(() => Item)
        inner!: Item;
      }
      Object.defineProperty(Item_, 'name', { value: 'Item' });
      return Item_;
    };
    const schema = dtoJsonSchema(outer());
    expect(Object.keys(schema.properties ?? {})).toEqual(['inner']);
    expect(Object.keys(schema.$defs?.['Item']?.properties ?? {})).toEqual(['name', 'count']);
  });
});

describe('isDto', () => {
  it.each<[unknown, boolean]>([
    [Item, true],
    [class extends Item {}, true],
    [class {}, false],
    [() => 1, false],
    [{}, false],
    [undefined, false],
    [null, false],
    ['Item', false],
    [Object, false],
    [String, false],
  ])('of %p is %p', (source, expected) => {
    expect(isDto(source)).toBe(expected);
  });
});

describe('a header of a DTO', () => {
  class Place {
    @IsString()
    @McpHeader('Region')
    region!: string;
  }

  const PLACE = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
    additionalProperties: false,
  };

  it('stands in its property', () => {
    expect(dtoJsonSchema(Place)).toEqual(PLACE);
  });

  it.each<[string, PropertyDecorator[], unknown]>([
    ['a whole number', [IsInt(), Min(1)], { type: 'integer', minimum: 1 }],
    ['a boolean', [IsBoolean()], { type: 'boolean' }],
    ['an enum of texts, with its type', [IsEnum(Texts)], { type: 'string', enum: ['a', 'b'] }],
    ['an enum of numbers, with its type', [IsEnum(Numbers)], { type: 'integer', enum: [0, 1] }],
    ['an enum of both, without a type', [IsEnum(Mixed)], { enum: expect.any(Array) as unknown }],
  ])('may be of %s', (_, decorators, schema) => {
    expect(property([...decorators, McpHeader('X')])).toEqual({
      ...(schema as object),
      'x-mcp-header': 'X',
    });
  });

  it('is inherited, and may be given another name', () => {
    class Copy extends Place {}
    class Renamed extends Place {
      @McpHeader('Zone')
      declare region: string;
    }
    const headerOf = (dto: Type<object>): unknown =>
      dtoJsonSchema(dto).properties?.['region']?.['x-mcp-header'];
    expect([Copy, Renamed, Place].map(headerOf)).toEqual(['Region', 'Zone', 'Region']);
  });

  it('brings its class inline, however deep, and leaves others behind references', () => {
    class Query {
      @ValidateNested()
      place!: Place;

      @ValidateNested()
      item!: Item;
    }
    class Job {
      @ValidateNested()
      query!: Query;

      @ValidateNested({ each: true })
      @Nested(() => Item)
      items!: Item[];
    }
    const item = { $ref: '#/$defs/Item' };
    expect(dtoJsonSchema(Job)).toEqual({
      type: 'object',
      properties: {
        query: {
          type: 'object',
          properties: { place: PLACE, item },
          required: ['place', 'item'],
          additionalProperties: false,
        },
        items: { type: 'array', items: item },
      },
      required: ['query', 'items'],
      additionalProperties: false,
      $defs: { Item: expect.objectContaining({ type: 'object' }) as unknown },
    });
  });

  it('does not keep a class that holds itself from being described', () => {
    class Tree {
      @IsString()
      @McpHeader('Name')
      name!: string;

      @IsOptional()
      @ValidateNested()
      @Nested(() => Tree)
      child?: Tree;
    }
    class Forest {
      @ValidateNested()
      tree!: Tree;
    }
    const child = { $ref: '#/$defs/Tree' };
    expect(dtoJsonSchema(Forest)).toMatchObject({
      properties: { tree: { properties: { child } } },
      $defs: { Tree: { properties: { child } } },
    });
  });

  it('on what class-validator does not know is refused by name', () => {
    class Loose {
      @IsString()
      a!: string;

      @McpHeader('B')
      b!: string;
    }
    expect(() => dtoJsonSchema(Loose)).toThrow(
      new Error('Loose.b has @McpHeader() and no class-validator decorator; add one'),
    );
  });
});
