import type { Type } from '@nestjs/common';
import { Type as Nested } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { InvalidFormException } from '../../exceptions/index.js';
import { dtoForm } from './dto-form.js';

enum Plan {
  Free = 'free',
  Pro = 'pro',
}

enum Size {
  Small,
  Large,
}

class Address {
  @IsString()
  street!: string;
}

class Base {
  @IsString()
  @MinLength(2)
  @MaxLength(9)
  name!: string;
}

class Order extends Base {
  @IsEmail()
  email!: string;

  @IsUrl()
  site!: string;

  @IsInt()
  @Min(1)
  @Max(5)
  count = 2;

  @IsOptional()
  @IsNumber()
  weight?: number;

  @IsBoolean()
  gift = false;

  @IsEnum(Plan)
  plan: Plan = Plan.Free;

  @IsIn(['red', 'blue'])
  colour!: string;

  @IsIn(['a', 'b', 'c'], { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(2)
  tags!: string[];

  @IsEnum(Plan, { each: true })
  plans!: Plan[];
}

describe('dtoForm', () => {
  it('makes a flat form of a flat class, inherited properties last', () => {
    const form = dtoForm(Order);
    expect(form).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        site: { type: 'string', format: 'uri' },
        count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
        weight: { type: 'number' },
        gift: { type: 'boolean', default: false },
        plan: { type: 'string', enum: ['free', 'pro'], default: 'free' },
        colour: { type: 'string', enum: ['red', 'blue'] },
        tags: {
          type: 'array',
          items: { type: 'string', enum: ['a', 'b', 'c'] },
          minItems: 1,
          maxItems: 2,
        },
        plans: { type: 'array', items: { type: 'string', enum: ['free', 'pro'] } },
        name: { type: 'string', minLength: 2, maxLength: 9 },
      },
      required: ['email', 'site', 'colour', 'tags', 'plans', 'name'],
    });
    expect(Object.keys(form.properties)).toEqual([
      'email',
      'site',
      'count',
      'weight',
      'gift',
      'plan',
      'colour',
      'tags',
      'plans',
      'name',
    ]);
  });

  it('leaves out "required" when everything may be left empty', () => {
    class Note {
      @IsOptional()
      @IsString()
      text?: string;
    }
    expect(dtoForm(Note)).toEqual({ type: 'object', properties: { text: { type: 'string' } } });
  });

  it('keeps to itself what no client could show', () => {
    class Code {
      @Matches(/^[A-Z]+$/)
      code!: string;
    }
    expect(dtoForm(Code).properties).toEqual({ code: { type: 'string' } });
  });

  it('shows the list a new instance starts with as the default of a list of choices', () => {
    class Tags {
      @IsIn(['a', 'b'], { each: true })
      tags: string[] = ['a'];
    }
    expect(dtoForm(Tags)).toEqual({
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
      },
    });
  });

  class WithObject {
    @IsString()
    fine!: string;

    @ValidateNested()
    @Nested(() => Address)
    address!: Address;
  }
  class WithObjects {
    @IsArray()
    @ValidateNested({ each: true })
    @Nested(() => Address)
    address!: Address[];
  }
  class WithFreeList {
    @IsArray()
    @IsString({ each: true })
    address!: string[];
  }
  class WithNumericEnum {
    @IsEnum(Size)
    address!: Size;
  }
  class WithNumbers {
    @IsIn([1, 2])
    address!: number;
  }
  class WithFreeObject {
    @IsObject()
    address!: object;
  }
  class WithDate {
    @IsDate()
    @Nested(() => Date)
    address!: Date;
  }

  it.each<[string, Type<object>]>([
    ['a nested object', WithObject],
    ['a list of objects', WithObjects],
    ['a free list', WithFreeList],
    ['an enum of numbers', WithNumericEnum],
    ['a choice of numbers', WithNumbers],
    ['a free object', WithFreeObject],
    ['a Date', WithDate],
  ])('refuses %s, naming the property and the mend', (_, dto) => {
    expect(() => dtoForm(dto)).toThrow(InvalidFormException);
    expect(() => dtoForm(dto)).toThrow(
      new Error(
        'Invalid form property "address": a form is flat, and this is neither a string, a number, a boolean nor a ' +
          'list of given choices. Ask for its parts one by one, or give @IsIn([...], { each: true }) for a list.',
      ),
    );
  });

  class LongDefault {
    @IsString()
    @MaxLength(2)
    p = 'abc';
  }
  class CrossedBounds {
    @IsInt()
    @Min(5)
    @Max(1)
    p!: number;
  }
  class RepeatedValue {
    @IsIn(['a', 'a'])
    p!: string;
  }
  class TooManyItems {
    @IsIn(['a'], { each: true })
    @ArrayMinSize(2)
    p!: string[];
  }

  it.each<[Type<object>, string]>([
    [LongDefault, 'its default must have at most 2 characters. Change the default.'],
    [CrossedBounds, 'minimum is above maximum. Lower minimum or raise maximum.'],
    [RepeatedValue, 'it offers a value twice. Give each value once.'],
    [TooManyItems, 'minItems is more than it has choices. Lower minItems.'],
  ])('holds %p to the rules of the builder', (dto, rest) => {
    expect(() => dtoForm(dto)).toThrow(new Error(`Invalid form property "p": ${rest}`));
  });

  it('refuses two nested classes of one name as it refuses any nested class', () => {
    const other = (): Type<object> => {
      class Address {
        @IsString()
        city!: string;
      }
      return Address;
    };
    const Other = other();
    class Two {
      @ValidateNested()
      @Nested(() => Address)
      a!: Address;

      @ValidateNested()
      @Nested(() => Other)
      b!: object;
    }
    expect(() => dtoForm(Two)).toThrow(InvalidFormException);
  });

  it('takes a text that holds a date for the text it is', () => {
    class Meeting {
      @IsISO8601()
      at!: string;
    }
    expect(dtoForm(Meeting).properties['at']).toMatchObject({ type: 'string' });
  });
});
