/**
 * The restricted JSON Schema of form-mode elicitation: a flat object of primitive properties.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export interface RequestedSchema {
  $schema?: string;
  type: 'object';
  properties: { [name: string]: PrimitiveSchema };
  required?: string[];
}

/** A property of a form. */
export type PrimitiveSchema =
  StringSchema | NumberSchema | BooleanSchema | SingleSelectSchema | MultiSelectSchema;

/** Formats a form may ask for. */
export type StringFormat = 'email' | 'uri' | 'date' | 'date-time';

/** A property of a form: text. */
export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: StringFormat;
  default?: string;
}

/** A property of a form: a number. */
export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

/** A property of a form: yes or no. */
export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

/** A value and the words a person sees for it. */
export interface TitledValue {
  const: string;
  title: string;
}

/** A property of a form: one of given values. */
export interface UntitledSingleSelectSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  default?: string;
}

/** A property of a form: one of given values, each with words of its own. */
export interface TitledSingleSelectSchema {
  type: 'string';
  title?: string;
  description?: string;
  oneOf: TitledValue[];
  default?: string;
}

/** A property of a form: one of given values. */
export type SingleSelectSchema = UntitledSingleSelectSchema | TitledSingleSelectSchema;

/** A property of a form: any number of given values. */
export interface MultiSelectSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { type: 'string'; enum: string[] } | { anyOf: TitledValue[] };
  default?: string[];
}

/** Has the user fill in a form. */
export interface ElicitRequestFormParams {
  mode?: 'form';
  message: string;
  requestedSchema: RequestedSchema;
}

/** Sends the user to a page, for what must not pass through the client. */
export interface ElicitRequestUrlParams {
  mode: 'url';
  message: string;
  url: string;
}

/** A question to the user, as it travels in an `input_required` result. */
export interface ElicitRequest {
  method: 'elicitation/create';
  params: ElicitRequestFormParams | ElicitRequestUrlParams;
}

/** What a user does with a question. */
export type ElicitAction = 'accept' | 'decline' | 'cancel';

/** A value a form can collect. */
export type FormValue = string | number | boolean | string[];

/** The client's answer to an `elicitation/create` request, as it travels. */
export interface ElicitResult {
  action: ElicitAction;
  content?: { [name: string]: FormValue };
}
