import type { FuncKeywordDefinition } from 'ajv';
import type { JsonValue } from '../protocol/index.js';
import { canonicalJson } from './canonical-json.js';

/**
 * `uniqueItems` in one pass: the validator's own compares every item with every other, which a caller
 * could keep busy for minutes.
 */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (wanted: boolean, items: JsonValue[]) =>
    !wanted || new Set(items.map((item) => canonicalJson(item))).size === items.length,
  error: { message: 'must NOT have duplicate items' },
};
