import type { FormWriter } from './elicit-form.js';
import { FormBuilder } from './form-builder.js';

/*
 * The compiler is the test: `content` takes only the exact type, and every line that must not
 * compile says so. The bodies run too, so that what compiles is also accepted.
 */

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Content<B> = B extends FormBuilder<infer T> ? T : never;

/** Compiles only when the form's content is exactly `Expected`; gives the names of the form. */
function content<Expected>() {
  return <B>(form: B & (Equal<Content<B>, Expected> extends true ? unknown : never)): string[] =>
    Object.keys((form as unknown as FormBuilder).build().properties);
}

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

const form = (): FormBuilder => new FormBuilder();

describe('the content of a form', () => {
  it('is empty before the first property', () => {
    expect(content<object>()(form())).toEqual([]);
  });

  it('has a string for every kind of text', () => {
    expect(
      content<{ a: string; b: string; c: string; d: string; e: string }>()(
        form().string('a').email('b').uri('c').date('d').dateTime('e'),
      ),
    ).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('has a number for integers and numbers, and a boolean', () => {
    expect(
      content<{ a: number; b: number; c: boolean }>()(form().integer('a').number('b').boolean('c')),
    ).toEqual(['a', 'b', 'c']);
  });

  it('has an optional property for an optional field without a default', () => {
    expect(
      content<{
        a?: string;
        b?: string;
        c?: number;
        d?: boolean;
        e?: 'x' | 'y';
        f?: ('x' | 'y')[];
        g: string;
      }>()(
        form()
          .string('a', { optional: true })
          .email('b', { optional: true, title: 'B' })
          .integer('c', { optional: true, minimum: 1 })
          .boolean('d', { optional: true })
          .choice('e', ['x', 'y'], { optional: true })
          .choices('f', ['x', 'y'], { optional: true })
          .string('g', { optional: false }),
      ),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('has a required property for an optional field that a default fills', () => {
    expect(
      content<{
        a: string;
        b: number;
        c: boolean;
        d: 'x' | 'y';
        e: ('x' | 'y')[];
      }>()(
        form()
          .string('a', { optional: true, default: '' })
          .number('b', { optional: true, default: 0 })
          .boolean('c', { optional: true, default: false })
          .choice('d', ['x', 'y'], { optional: true, default: 'x' })
          .choices('e', ['x', 'y'], { optional: true, default: [] }),
      ),
    ).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('has the union of the values for a choice, titled or not', () => {
    expect(
      content<{ a: 'free' | 'pro'; b: 'free' | 'pro'; c: 'free' | 'pro' }>()(
        form()
          .choice('a', ['free', 'pro'])
          .choice('b', [
            { value: 'free', title: 'Free' },
            { value: 'pro', title: 'Professional' },
          ])
          .choice('c', ['free', { value: 'pro', title: 'Professional' }]),
      ),
    ).toEqual(['a', 'b', 'c']);
  });

  it('has a list of that union for several choices', () => {
    expect(
      content<{ a: ('x' | 'y')[]; b: ('x' | 'y')[] }>()(
        form()
          .choices('a', ['x', 'y'], { minItems: 1, default: ['y'] })
          .choices('b', [
            { value: 'x', title: 'X' },
            { value: 'y', title: 'Y' },
          ]),
      ),
    ).toEqual(['a', 'b']);
  });

  it('follows a constant list, and one that is known at run time only', () => {
    const plans = ['free', 'pro'] as const;
    const names: string[] = ['a', 'b'];
    expect(
      content<{ a: 'free' | 'pro'; b: string }>()(form().choice('a', plans).choice('b', names)),
    ).toEqual(['a', 'b']);
  });

  it('follows an enum', () => {
    const built = form().choice('colour', Object.values(Colour), { default: Colour.Red });
    const answer: Content<typeof built> = { colour: Colour.Blue };
    expect(answer).toEqual({ colour: 'blue' });
    expect(built.build().properties).toEqual({
      colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    });
  });

  it('is what a writer is inferred to give', () => {
    const accept = <C extends object>(
      write: FormWriter<C>,
      use: (content: C) => unknown,
    ): unknown => use(write(new FormBuilder()).build().properties as unknown as C);
    const given = accept(
      (f) => f.email('email').choice('plan', ['free', 'pro'], { optional: true }),
      (answer) => {
        const email: string = answer.email;
        const plan: 'free' | 'pro' | undefined = answer.plan;
        // @ts-expect-error the form has no such property
        const other: unknown = answer.phone;
        return [email, plan, other];
      },
    );
    expect(given).toEqual([
      { type: 'string', format: 'email' },
      { type: 'string', enum: ['free', 'pro'] },
      undefined,
    ]);
  });
});

describe('a mistake in a chain', () => {
  it('does not compile when a name is used twice', () => {
    // @ts-expect-error the name is taken
    expect(() => form().string('a').integer('a')).toThrow('the name is used twice');
    // @ts-expect-error the name is taken
    expect(() => form().choice('a', ['x']).choices('a', ['x'])).toThrow('the name is used twice');
  });

  it('does not compile when a default is not among the choices', () => {
    // @ts-expect-error no such choice
    expect(() => form().choice('a', ['x', 'y'], { default: 'z' })).toThrow('its default');
    expect(() =>
      // @ts-expect-error no such choice
      form().choice('a', [{ value: 'x', title: 'X' }], { default: 'X' }),
    ).toThrow('its default');
    // @ts-expect-error no such choice
    expect(() => form().choices('a', ['x', 'y'], { default: ['x', 'z'] })).toThrow('its default');
  });

  it('does not compile when a default is of another kind', () => {
    // @ts-expect-error not a string
    expect(() => form().string('a', { default: 1 })).toThrow('its default must be text');
    // @ts-expect-error not a number
    expect(() => form().integer('a', { default: '1' })).toThrow('its default must be a whole');
    // @ts-expect-error not a boolean
    expect(() => form().boolean('a', { default: 'true' })).toThrow('its default must be true');
    // @ts-expect-error not a list
    expect(content<{ a: 'x'[] }>()(form().choices('a', ['x'], { default: 'x' }))).toEqual(['a']);
  });

  it('does not compile when an option belongs to another kind', () => {
    // @ts-expect-error a count of characters does not bound a number
    expect(() => form().integer('a', { minLength: 1 })).toThrow('"minLength" does not apply');
    // @ts-expect-error a number has no place in a text
    expect(() => form().string('a', { minimum: 1 })).toThrow('"minimum" does not apply');
    // @ts-expect-error a single choice has no count
    expect(() => form().choice('a', ['x'], { minItems: 1 })).toThrow('"minItems" does not apply');
  });

  it('does not compile when a choice is no text', () => {
    // @ts-expect-error choices are texts
    expect(() => form().choice('a', [1, 2])).toThrow();
  });
});
