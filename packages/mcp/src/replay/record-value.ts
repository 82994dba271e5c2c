import { types } from 'node:util';

/** Deeper than that, JSON itself may run out of stack. */
const MAX_DEPTH = 256;

/** What JSON would change or lose in silence, with what to return instead. */
class Unrecordable extends Error {
  constructor(
    readonly fact: string,
    readonly mend: string,
  ) {
    super(fact);
  }
}

/** A value as it is recorded; `undefined` leaves no text. */
export type RecordText =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly fact: string; readonly mend: string };

/** The JSON of a value, if it says all of it. */
export function recordText(value: unknown): RecordText {
  try {
    check(value, 'the value', []);
    return { ok: true, text: value === undefined ? undefined : JSON.stringify(value) };
  } catch (error) {
    if (error instanceof Unrecordable) return { ok: false, fact: error.fact, mend: error.mend };
    // A getter, a proxy or a toJSON() of the author's.
    return {
      ok: false,
      fact: `the value cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      mend: 'Return plain data',
    };
  }
}

function check(value: unknown, path: string, within: readonly object[]): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return;
    case 'number':
      if (Number.isFinite(value)) return;
      throw new Unrecordable(`${path} is ${value}`, 'Return a finite number, or null');
    case 'bigint':
      throw new Unrecordable(`${path} is a BigInt`, 'Return it as text: value.toString()');
    case 'function':
    case 'symbol':
      throw new Unrecordable(`${path} is a ${typeof value}`, 'Return data only');
    case 'object':
      if (value !== null) checkObject(value, path, within);
  }
}

function checkObject(value: object, path: string, within: readonly object[]): void {
  if (within.includes(value)) {
    throw new Unrecordable(
      `${path} contains itself`,
      'Return a tree: identifiers in place of references',
    );
  }
  if (within.length >= MAX_DEPTH) {
    throw new Unrecordable(`${path} is nested more than ${MAX_DEPTH} levels deep`, 'Return less');
  }
  const converted = jsonOf(value);
  if (converted !== value) {
    check(converted, path, [...within, value]);
    return;
  }
  refuseExotic(value, path);
  const inner = [...within, value];
  if (Array.isArray(value)) {
    value.forEach((item, index) => check(item, `${path}[${index}]`, inner));
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    // JSON leaves functions out of objects, and so does the type of what is recorded.
    if (typeof member !== 'function' && typeof member !== 'symbol') {
      check(member, `${path}.${name}`, inner);
    }
  }
}

/** What `toJSON()` makes of an object that has one. */
function jsonOf(value: object): unknown {
  if (value instanceof Date && Number.isNaN(value.getTime())) return Number.NaN;
  if (Buffer.isBuffer(value)) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON as () => unknown).call(value) : value;
}

function refuseExotic(value: object, path: string): void {
  if (
    types.isMap(value) ||
    types.isSet(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value)
  ) {
    throw new Unrecordable(`${path} is a ${value.constructor.name}`, 'Return a list: [...value]');
  }
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    throw new Unrecordable(
      `${path} is binary`,
      "Return it as text, such as Buffer.from(value).toString('base64'), or store it and return where it is",
    );
  }
  if (types.isPromise(value)) {
    throw new Unrecordable(`${path} is a promise`, 'Await it in the step');
  }
  if (types.isNativeError(value)) {
    throw new Unrecordable(`${path} is an error`, 'Throw it, or return its message');
  }
  if (types.isRegExp(value)) {
    throw new Unrecordable(`${path} is a regular expression`, 'Return its source');
  }
}
