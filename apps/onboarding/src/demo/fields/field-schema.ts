/** As much of JSON Schema as a terminal can ask for. */
export interface FieldSchema {
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly TitledSchema[];
  readonly anyOf?: readonly TitledSchema[];
  readonly items?: FieldSchema;
  readonly default?: unknown;
}

interface TitledSchema {
  readonly const?: unknown;
  readonly title?: string;
}

/** The schema of a form, or of the arguments of a tool. */
export interface FormSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}
