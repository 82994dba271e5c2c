/**
 * Keywords that judge a value by themselves, without other schemas, in 2020-12 or draft-07. Which of
 * them a dialect has, its validator knows.
 */
export const ASSERTIONS: ReadonlySet<string> = new Set([
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minContains',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'pattern',
  'required',
  'type',
  'uniqueItems',
]);
