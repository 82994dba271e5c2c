import type { Field, FieldChoice } from './field.js';
import type { FieldSchema, FormSchema } from './field-schema.js';

/** The fields of a schema, in its order. */
export function schemaFields({ properties = {}, required = [] }: FormSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) =>
    toField(name, schema, required.includes(name)),
  );
}

function toField(name: string, schema: FieldSchema, required: boolean): Field {
  const { title, description, default: preset } = schema;
  const named = {
    name,
    label: title ?? name,
    required,
    ...(description !== undefined && { description }),
  };
  const choices = choicesOf(schema.enum, schema.oneOf);
  if (choices !== undefined) return { ...named, kind: 'choice', choices, ...text(preset) };
  switch (schema.type) {
    case 'string': {
      const { format, pattern, minLength, maxLength } = schema;
      return { ...named, kind: 'text', format, pattern, minLength, maxLength, ...text(preset) };
    }
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema;
      const fallback = typeof preset === 'number' ? { default: preset } : {};
      return { ...named, kind: schema.type, minimum, maximum, ...fallback };
    }
    case 'boolean':
      return { ...named, kind: 'boolean', ...(typeof preset === 'boolean' && { default: preset }) };
    case 'array': {
      const offered = choicesOf(schema.items?.enum, schema.items?.anyOf);
      if (offered === undefined) return { ...named, kind: 'json' };
      const { minItems, maxItems } = schema;
      const fallback = isTexts(preset) ? { default: preset } : {};
      return { ...named, kind: 'choices', choices: offered, minItems, maxItems, ...fallback };
    }
    default:
      return { ...named, kind: 'json' };
  }
}

function choicesOf(
  plain: FieldSchema['enum'],
  titled: FieldSchema['oneOf'],
): readonly FieldChoice[] | undefined {
  if (isTexts(plain)) return plain.map((value) => ({ value, title: value }));
  const choices = titled?.flatMap(({ const: value, title }) =>
    typeof value === 'string' ? [{ value, title: title ?? value }] : [],
  );
  return choices?.length === titled?.length ? choices : undefined;
}

function text(preset: unknown): { default?: string } {
  return typeof preset === 'string' ? { default: preset } : {};
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}
