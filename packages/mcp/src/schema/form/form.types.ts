import type { FormValue, TitledValue } from '../../protocol/index.js';

/** What every property of a form can say about itself. */
export interface FieldOptions {
  /** The label a person reads. */
  title?: string;
  description?: string;
  /** `true` lets the person leave it empty. */
  optional?: boolean;
}

export interface StringOptions extends FieldOptions {
  minLength?: number;
  maxLength?: number;
  default?: string;
}

export interface NumberOptions extends FieldOptions {
  minimum?: number;
  maximum?: number;
  default?: number;
}

export interface BooleanOptions extends FieldOptions {
  default?: boolean;
}

export interface ChoiceOptions<V extends string> extends FieldOptions {
  default?: NoInfer<V>;
}

export interface ChoicesOptions<V extends string> extends FieldOptions {
  minItems?: number;
  maxItems?: number;
  default?: NoInfer<V>[];
}

/** A choice: its value, or its value and the words a person sees. */
export type Choice = string | { readonly value: string; readonly title: string };

/** The union of the values of a list of choices. */
export type ChoiceValue<C extends Choice> = C extends { readonly value: infer V extends string }
  ? V
  : C extends string
    ? C
    : never;

/**
 * One more property in the content of a form: optional only when the person may leave it empty and
 * no default fills it.
 */
export type WithField<T, N extends string, V extends FormValue, O> = Simplify<
  T &
    (MayBeLeftEmpty<O> extends true
      ? O extends { default: FormValue }
        ? { [K in N]: V }
        : { [K in N]?: V }
      : { [K in N]: V })
>;

/** `true` when `optional` is or may be true. */
type MayBeLeftEmpty<O> = O extends { optional?: infer P } ? (true extends P ? true : false) : false;

/** Shows an intersection as one object type. */
type Simplify<T> = { [K in keyof T]: T[K] };

/** A name that the form does not have yet; a second use is a compile error. */
export type NewName<T, N extends string> = N extends keyof T ? never : N;

export function toTitled(choice: Choice): TitledValue {
  return typeof choice === 'string'
    ? { const: choice, title: choice }
    : { const: choice.value, title: choice.title };
}
