import { InvalidFormException } from '../../exceptions/index.js';
import type { PrimitiveSchema, RequestedSchema, StringFormat } from '../../protocol/index.js';
import {
  type BooleanOptions,
  type Choice,
  type ChoiceOptions,
  type ChoicesOptions,
  type ChoiceValue,
  type FieldOptions,
  type NewName,
  type NumberOptions,
  type StringOptions,
  toTitled,
  type WithField,
} from './form.types.js';
import { checkFormProperty } from './form-rules.js';

/** What is known of options that are not given. */
interface NoOptions {
  readonly optional?: never;
}

/** Options without the one that is not part of the schema. */
type Keywords<O extends FieldOptions> = Omit<O, 'optional'>;

/**
 * Builds the flat form of a question; the content of its answer is typed from the chain.
 *
 * 1. Only what a client can show as a form can be written: no nesting, no free lists.
 * 2. Mistakes (a default outside its choices, a minimum above its maximum, a name used twice, no
 *    choices) are refused at the call that makes them.
 * 3. Properties are required unless `optional`; they keep the order of the chain.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export class FormBuilder<T extends object = object> {
  private readonly properties: Record<string, PrimitiveSchema> = {};
  private readonly required: string[] = [];

  /** Any text. */
  string<const N extends string, const O extends StringOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, string, O>> {
    return this.text(name, undefined, options);
  }

  /** An e-mail address. */
  email<const N extends string, const O extends StringOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, string, O>> {
    return this.text(name, 'email', options);
  }

  /** An absolute URI. */
  uri<const N extends string, const O extends StringOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, string, O>> {
    return this.text(name, 'uri', options);
  }

  /** A date: `2026-07-28`. */
  date<const N extends string, const O extends StringOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, string, O>> {
    return this.text(name, 'date', options);
  }

  /** A moment: `2026-07-28T12:00:00Z`. */
  dateTime<const N extends string, const O extends StringOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, string, O>> {
    return this.text(name, 'date-time', options);
  }

  /** A whole number. */
  integer<const N extends string, const O extends NumberOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, number, O>> {
    return this.add(name, { type: 'integer', ...keywords(options) }, options);
  }

  /** A number. */
  number<const N extends string, const O extends NumberOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, number, O>> {
    return this.add(name, { type: 'number', ...keywords(options) }, options);
  }

  /** Yes or no. */
  boolean<const N extends string, const O extends BooleanOptions = NoOptions>(
    name: NewName<T, N>,
    options?: O,
  ): FormBuilder<WithField<T, N, boolean, O>> {
    return this.add(name, { type: 'boolean', ...keywords(options) }, options);
  }

  /** One of several values. */
  choice<
    const N extends string,
    const C extends Choice,
    const O extends ChoiceOptions<ChoiceValue<C>> = NoOptions,
  >(
    name: NewName<T, N>,
    values: readonly C[],
    options?: O,
  ): FormBuilder<WithField<T, N, ChoiceValue<C>, O>> {
    const choices = plain(values)
      ? { enum: [...values] as string[] }
      : { oneOf: values.map(toTitled) };
    return this.add(name, { type: 'string', ...choices, ...keywords(options) }, options);
  }

  /** Several of several values. */
  choices<
    const N extends string,
    const C extends Choice,
    const O extends ChoicesOptions<ChoiceValue<C>> = NoOptions,
  >(
    name: NewName<T, N>,
    values: readonly C[],
    options?: O,
  ): FormBuilder<WithField<T, N, ChoiceValue<C>[], O>> {
    const items = plain(values)
      ? { type: 'string' as const, enum: [...values] as string[] }
      : { anyOf: values.map(toTitled) };
    const { default: preset, ...rest } = keywords(options) as Keywords<ChoicesOptions<string>>;
    return this.add(
      name,
      { type: 'array', items, ...rest, ...(preset !== undefined && { default: [...preset] }) },
      options,
    );
  }

  /** The schema of the form so far. */
  build(): RequestedSchema {
    return {
      type: 'object',
      properties: { ...this.properties },
      ...(this.required.length > 0 && { required: [...this.required] }),
    };
  }

  private text<R>(name: string, format: StringFormat | undefined, options?: StringOptions): R {
    return this.add(
      name,
      { type: 'string', ...(format !== undefined && { format }), ...keywords(options) },
      options,
    );
  }

  /** Adds a checked property. The chain's type is the methods' business. */
  private add<R>(name: string, schema: PrimitiveSchema, options: FieldOptions = {}): R {
    if (Object.hasOwn(this.properties, name)) {
      throw new InvalidFormException(
        name,
        'the name is used twice',
        'Give each property its own name',
      );
    }
    refuseOwned(name, options, ['type']);
    checkFormProperty(name, schema);
    refuseOwned(name, options, ['format', 'enum', 'oneOf', 'items']);
    this.properties[name] = schema;
    if (options.optional !== true) this.required.push(name);
    return this as unknown as R;
  }
}

/** @throws InvalidFormException for an option that the choice of a method decides */
function refuseOwned(name: string, options: FieldOptions, keywords: readonly string[]): void {
  const owned = keywords.find((keyword) => keyword in options);
  if (owned === undefined) return;
  throw new InvalidFormException(
    name,
    `"${owned}" is the method's business`,
    'Leave the option out, or call another method',
  );
}

function keywords<O extends FieldOptions>(options: O | undefined): Keywords<O> {
  if (options === undefined) return {} as Keywords<O>;
  const { optional: _optional, ...schema } = options;
  return schema;
}

function plain(values: readonly Choice[]): values is readonly string[] {
  return values.every((value) => typeof value === 'string');
}
