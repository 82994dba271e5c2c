import type { RequestedSchema } from '../../protocol/index.js';

/** What people read and no answer depends on. */
const WORDING: readonly string[] = ['title', 'description', 'enumNames'];

/** A form without its wording: two forms of one shape take the same answers. */
export function answerShape({ properties, required = [] }: RequestedSchema): object {
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, shapeOf(schema)]),
    ),
    required: [...required].sort(),
  };
}

function shapeOf(schema: object): Record<string, unknown> {
  const shape: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema) as [string, unknown][]) {
    if (!WORDING.includes(keyword)) Object.assign(shape, partOf(keyword, value));
  }
  return shape;
}

/** Choices are the same with titles and without, of one and of several. */
function partOf(keyword: string, value: unknown): object {
  switch (keyword) {
    case 'enum':
      return { choices: value };
    case 'oneOf':
    case 'anyOf':
      return { choices: (value as { const: unknown }[]).map((choice) => choice.const) };
    case 'items':
      return { choices: shapeOf(value as object)['choices'] };
    default:
      return { [keyword]: value };
  }
}
