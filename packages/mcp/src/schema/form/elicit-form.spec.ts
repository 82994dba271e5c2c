import type { Type } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsEmail, IsEnum, IsIn, IsInt, IsOptional, IsString, Matches, Min } from 'class-validator';
import { InvalidFormException } from '../../exceptions/index.js';
import type { FormBuilder } from './form-builder.js';
import { type FormWriter, toElicitForm } from './elicit-form.js';

enum Plan {
  Free = 'free',
  Pro = 'pro',
}

class Account {
  @IsEmail()
  email!: string;

  @IsEnum(Plan)
  plan: Plan = Plan.Free;

  @IsOptional()
  @IsInt()
  @Min(18)
  age?: number;

  @IsOptional()
  @Matches(/^[A-Z]+$/, { message: 'must be capital letters' })
  code?: string;

  get domain(): string {
    return this.email.slice(this.email.indexOf('@') + 1);
  }
}

describe('a form written with the builder', () => {
  const form = toElicitForm((f) => f.email('email').integer('age', { default: 18 }));

  it('has the schema of the chain', () => {
    expect(form.schema).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        age: { type: 'integer', default: 18 },
      },
      required: ['email', 'age'],
    });
  });

  it('judges content at once, filling defaults', () => {
    expect(form.judge({ email: 'a@b.de', other: 1 })).toEqual({
      ok: true,
      content: { email: 'a@b.de', age: 18 },
    });
    expect(form.judge({ email: 'a' })).toEqual({
      ok: false,
      reasons: ['"email" must be an e-mail address'],
    });
  });

  it('gives the handler a copy of the recorded content', () => {
    const recorded = { email: 'a@b.de', age: 18 };
    const revived = form.revive(recorded);
    expect(revived).toEqual(recorded);
    expect(revived).not.toBe(recorded);
  });

  it('gives the handler lists of its own', () => {
    const tags = toElicitForm((f) => f.choices('tags', ['a', 'b']));
    const recorded: { tags: string[] } = { tags: ['a'] };
    tags.revive(recorded).tags.push('b');
    expect(recorded).toEqual({ tags: ['a'] });
  });

  it('may be written by any kind of function', () => {
    function write(f: FormBuilder): FormBuilder<{ a: string }> {
      return f.string('a');
    }
    const writer = { write: (f: FormBuilder) => f.string('a') };
    for (const given of [write, writer.write]) {
      expect(toElicitForm(given).schema.required).toEqual(['a']);
    }
  });

  it('is refused when it asks for nothing', () => {
    expect(() => toElicitForm((f) => f)).toThrow(
      new Error('Invalid form: it has no properties. Ask for at least one.'),
    );
  });

  it.each<[string, unknown]>([
    ['returns nothing', () => undefined],
    ['is async', async (f: FormBuilder) => f.string('a')],
    ['returns a schema', () => ({ type: 'object', properties: {} })],
  ])('is refused as a form when its writer %s', (_, write) => {
    expect(() => toElicitForm(write as FormWriter<object>)).toThrow(InvalidFormException);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an object', { type: 'object' }],
  ])('is refused as a form when it is %s', (_, form) => {
    expect(() => toElicitForm(form as FormWriter<object>)).toThrow(InvalidFormException);
  });
});

describe('a form given as a class', () => {
  const form = toElicitForm(Account);

  it('has the schema of the class, which is read once', () => {
    expect(form.schema).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        plan: { type: 'string', enum: ['free', 'pro'], default: 'free' },
        age: { type: 'integer', minimum: 18 },
        code: { type: 'string' },
      },
      required: ['email'],
    });
    expect(toElicitForm(Account).schema).toBe(form.schema);
  });

  it('judges content by the form first', async () => {
    expect(await form.judge({ email: 'a', age: 1, code: 'x' })).toEqual({
      ok: false,
      reasons: ['"email" must be an e-mail address', '"age" must be at least 18'],
    });
  });

  it('judges content by the decorators that no client knows then', async () => {
    expect(await form.judge({ email: 'a@b.de', code: 'x' })).toEqual({
      ok: false,
      reasons: ['"code" must be capital letters'],
    });
  });

  it('accepts content as plain data, defaults filled and strangers dropped', async () => {
    const result = await form.judge({ email: 'a@b.de', other: 1 });
    expect(result).toEqual({ ok: true, content: { email: 'a@b.de', plan: 'free' } });
    expect(result.ok && result.content).not.toBeInstanceOf(Account);
  });

  it('gives the handler an instance', () => {
    const account = form.revive({ email: 'a@b.de', plan: 'pro' });
    expect(account).toBeInstanceOf(Account);
    expect(account).toEqual({ email: 'a@b.de', plan: Plan.Pro });
    expect(account.domain).toBe('b.de');
  });

  it('gives the handler lists of its own', () => {
    class Tags {
      @IsIn(['a', 'b'], { each: true })
      tags!: string[];
    }
    const recorded = { tags: ['a'] };
    toElicitForm(Tags).revive(recorded).tags.push('b');
    expect(recorded).toEqual({ tags: ['a'] });
  });

  it('transforms in each round what was recorded as the user gave it', async () => {
    class Name {
      @Transform(({ value }: { value: string }) => `${value}!`)
      @IsString()
      name!: string;
    }
    const form = toElicitForm(Name);
    const result = await form.judge({ name: 'Ada' });
    expect(result).toEqual({ ok: true, content: { name: 'Ada' } });
    expect(form.revive({ name: 'Ada' })).toEqual({ name: 'Ada!' });
  });

  it('takes an inherited class without decorators of its own', () => {
    class Same extends Account {}
    expect(toElicitForm(Same).schema).toEqual(form.schema);
  });

  it('is refused without decorators, naming the class and the mend', () => {
    class Bare {
      name!: string;
    }
    expect(() => toElicitForm(Bare)).toThrow(
      new Error(
        'Invalid form: the class Bare has no class-validator decorators. ' +
          'Decorate its properties, or write the form with the builder.',
      ),
    );
    expect(() => toElicitForm(Bare)).toThrow(InvalidFormException);
  });

  it('is refused when it is a class of the language', () => {
    expect(() => toElicitForm(Map as Type<object>)).toThrow(
      'Invalid form: the class Map has no class-validator decorators',
    );
  });
});
