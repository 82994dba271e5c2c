import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { JsonSchema } from './json-schema.js';
import { MULTIPLE_OF } from './multiple-of.js';
import type { Dialect } from './plain-references.js';
import { UNIQUE_ITEMS } from './unique-items.js';

// One error is enough: collecting all of them would let one large array cost gigabytes.
const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  logger: false,
  addUsedSchema: false,
  ownProperties: true,
};

const CLASSES: Readonly<Record<Dialect, new (options: Options) => Ajv>> = {
  '2020-12': Ajv2020,
  'draft-07': Ajv,
};

/** They check schemas and compile none, so that they never grow. */
const CHECKERS: Readonly<Record<Dialect, Ajv>> = {
  '2020-12': newInstance('2020-12', {}),
  'draft-07': newInstance('draft-07', {}),
};

/** @throws Error when it is no schema of the dialect */
export function checkSchema(schema: JsonSchema, dialect: Dialect): void {
  // A dialect has more than one name, and a checker knows one.
  const { $schema: _read, ...rest } = schema;
  void CHECKERS[dialect].validateSchema(rest, true);
}

/**
 * The compiler of one schema, which must have been checked. An instance keeps all that it has compiled
 * and cannot forget it. Nothing that it compiles leads back to it: it can go at once, and what it has
 * compiled with whoever holds that.
 */
export function newCompiler(schema: JsonSchema, dialect: Dialect): Ajv {
  return newInstance(dialect, { validateSchema: false, meta: mayReferToSchemas(schema) });
}

function newInstance(dialect: Dialect, options: Options): Ajv {
  const instance = new CLASSES[dialect]({ ...OPTIONS, ...options });
  ajvFormats.default(instance, { keywords: false });
  for (const definition of [UNIQUE_ITEMS, MULTIPLE_OF]) {
    instance.removeKeyword(definition.keyword as string).addKeyword(definition);
  }
  return instance;
}

/** Whether it may refer to the schema of schemas, which is half of what an instance costs. */
function mayReferToSchemas(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('//json-schema.org/');
}
