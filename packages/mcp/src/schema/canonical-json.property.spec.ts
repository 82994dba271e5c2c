import fc from 'fast-check';
import type { JsonValue } from '../protocol/index.js';
import { canonicalJson } from './canonical-json.js';

/** The same in fewer words, and with `JSON.stringify()` for every piece. */
function reference(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as JsonValue[]).map(reference).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${reference(member)}`).join(',')}}`;
}

const unit = fc.constantFrom<'grapheme' | 'binary'>('grapheme', 'binary');
const json = unit.chain((stringUnit) => fc.jsonValue({ stringUnit, maxDepth: 5 }));

describe('canonicalJson', () => {
  it('writes what JSON.stringify() writes, sorted', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value as JsonValue);
        expect(text).toBe(reference(value as JsonValue));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
