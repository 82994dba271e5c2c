import { _, type CodeKeywordDefinition } from 'ajv';
import type { JsonValue } from '../protocol/index.js';
import { canonicalJson } from './canonical-json.js';

/**
 * `uniqueItems` in one pass: the validator's own compares every item with every other, which a caller
 * could keep busy for minutes.
 */
export const UNIQUE_ITEMS: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  code(context) {
    if (context.schema !== true) return;
    const check = context.gen.scopeValue('func', { ref: isUnique });
    context.pass(_`${check}(${context.data})`);
  },
  error: { message: 'must NOT have duplicate items' },
};

function isUnique(items: readonly JsonValue[]): boolean {
  return new Set(items.map((item) => canonicalJson(item))).size === items.length;
}
