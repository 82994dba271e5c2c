import { Transform, Type as Nested } from 'class-transformer';
import {
  IsArray,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { validateDto } from './dto.validator.js';

class Line {
  @IsString()
  sku!: string;

  @IsInt({ message: 'count must be whole' })
  count = 1;

  total(): number {
    return this.count * 2;
  }
}

class Order {
  @MinLength(3)
  @Matches(/^[a-z]+$/, { message: 'the name is wrong' })
  name!: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Nested(() => Line)
  lines?: Line[];

  @IsOptional()
  @Transform(({ value }: { value: string }) => value.trim())
  @IsNotEmpty()
  note?: string;
}

describe('validateDto', () => {
  it('makes instances, nested ones too, with what they start with', async () => {
    const result = await validateDto(Order, { name: 'ada', lines: [{ sku: 'x' }] });
    if (!result.ok) throw new Error('was refused');
    const order = result.value as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order.lines?.[0]).toBeInstanceOf(Line);
    expect(order.lines?.[0]?.total()).toBe(2);
    expect(order).toEqual({ name: 'ada', lines: [{ sku: 'x', count: 1 }] });
  });

  it('transforms before it validates', async () => {
    expect(await validateDto(Order, { name: 'ada', note: ' hello ' })).toEqual({
      ok: true,
      value: { name: 'ada', note: 'hello' },
    });
    expect(await validateDto(Order, { name: 'ada', note: '  ' })).toEqual({
      ok: false,
      problems: [{ path: 'note', message: 'should not be empty' }],
    });
  });

  it('names every problem once, by its path', async () => {
    const result = await validateDto(Order, {
      name: 'A',
      lines: [{ sku: 'x' }, { sku: 1, count: 1.5 }],
    });
    expect(result).toEqual({
      ok: false,
      problems: expect.arrayContaining([
        { path: 'name', message: 'the name is wrong' },
        { path: 'name', message: 'must be longer than or equal to 3 characters' },
        { path: 'lines.1.sku', message: 'must be a string' },
        { path: 'lines.1.count', message: 'must be whole' },
      ]) as unknown,
    });
    expect(!result.ok && result.problems).toHaveLength(4);
  });

  it('refuses what the class does not have', async () => {
    expect(await validateDto(Order, { name: 'ada', other: 1 })).toEqual({
      ok: false,
      problems: [{ path: 'other', message: 'is not known here' }],
    });
    expect(await validateDto(Order, { name: 'ada', lines: [{ sku: 'x', other: 1 }] })).toEqual({
      ok: false,
      problems: [{ path: 'lines.0.other', message: 'is not known here' }],
    });
  });

  it('never repeats the value it refuses', async () => {
    const result = await validateDto(Order, { name: 'HUNTER2' });
    expect(JSON.stringify(result)).not.toContain('HUNTER2');
    expect(result.ok).toBe(false);
  });

  it('leaves the plain object and the prototype of all objects alone', async () => {
    const plain = JSON.parse('{"name":"ada","__proto__":{"polluted":true}}') as object;
    const before = JSON.stringify(plain);
    await validateDto(Order, plain);
    expect(JSON.stringify(plain)).toBe(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
