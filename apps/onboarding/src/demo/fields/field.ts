/** A value and the words for it. */
export interface FieldChoice {
  readonly value: string;
  readonly title: string;
}

interface NamedField {
  readonly name: string;
  /** What a person reads; falls back to the name. */
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface TextField extends NamedField {
  readonly kind: 'text';
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string;
}

export interface NumberField extends NamedField {
  readonly kind: 'integer' | 'number';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanField extends NamedField {
  readonly kind: 'boolean';
  readonly default?: boolean;
}

export interface ChoiceField extends NamedField {
  readonly kind: 'choice';
  readonly choices: readonly FieldChoice[];
  readonly default?: string;
}

export interface ChoicesField extends NamedField {
  readonly kind: 'choices';
  readonly choices: readonly FieldChoice[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** What no line of text can hold: lists and objects. */
export interface JsonField extends NamedField {
  readonly kind: 'json';
  readonly default?: undefined;
}

/** One line of a form, whatever asks for it: an elicitation, a tool, a prompt or a uri template. */
export type Field = TextField | NumberField | BooleanField | ChoiceField | ChoicesField | JsonField;
