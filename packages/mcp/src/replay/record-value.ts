import { types } from 'node:util';
import { isObservable } from 'rxjs';
import {
  type JsonProblem,
  type JsonRules,
  MAX_JSON_DEPTH,
  problemIn,
  writtenAs,
} from '../schema/index.js';

/** A value as it is recorded; `undefined` leaves no text. */
export type RecordText =
  { readonly ok: true; readonly text: string | undefined } | ({ readonly ok: false } & JsonProblem);

/** What JSON would change or lose in silence, with what to return instead. */
const RULES: JsonRules = {
  problemOf(value, path, depth) {
    switch (typeof value) {
      case 'number':
        return Number.isFinite(value)
          ? undefined
          : { fact: `${path} is ${value}`, mend: 'Return a finite number, or null' };
      case 'bigint':
        return { fact: `${path} is a BigInt`, mend: 'Return it as text: value.toString()' };
      case 'function':
      case 'symbol':
        return { fact: `${path} is a ${typeof value}`, mend: 'Return data only' };
      case 'object':
        return value === null ? undefined : problemOfObject(value, path, depth);
      default:
        return undefined;
    }
  },
  written(value) {
    if (value instanceof Date && Number.isNaN(value.getTime())) return Number.NaN;
    // Its toJSON() makes a list of numbers of it, four times as long.
    return Buffer.isBuffer(value) ? value : writtenAs(value);
  },
  circle: (path) => ({
    fact: `${path} contains itself`,
    mend: 'Return a tree: identifiers in place of references',
  }),
};

/** The JSON of a value, if it says all of it. */
export function recordText(value: unknown): RecordText {
  try {
    const problem = problemIn(value, 'the value', RULES);
    if (problem !== undefined) return { ok: false, ...problem };
    return { ok: true, text: value === undefined ? undefined : JSON.stringify(value) };
  } catch (error) {
    // A getter, a proxy or a toJSON() of the author's.
    return {
      ok: false,
      fact: `the value cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      mend: 'Return plain data',
    };
  }
}

function problemOfObject(value: object, path: string, depth: number): JsonProblem | undefined {
  if (depth >= MAX_JSON_DEPTH) {
    return {
      fact: `${path} is nested more than ${MAX_JSON_DEPTH} levels deep`,
      mend: 'Return less',
    };
  }
  if (
    types.isMap(value) ||
    types.isSet(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value)
  ) {
    return { fact: `${path} is a ${value.constructor.name}`, mend: 'Return a list: [...value]' };
  }
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return {
      fact: `${path} is binary`,
      mend: "Return it as text, such as Buffer.from(value).toString('base64'), or store it and return where it is",
    };
  }
  if (types.isPromise(value)) {
    return { fact: `${path} is a promise`, mend: 'Await it in the step' };
  }
  if (types.isNativeError(value)) {
    return { fact: `${path} is an error`, mend: 'Throw it, or return its message' };
  }
  if (types.isRegExp(value)) {
    return { fact: `${path} is a regular expression`, mend: 'Return its source' };
  }
  if (writtenAs(value) !== value) {
    return {
      fact: `${path} has a toJSON() that gives an object with another, which JSON does not call`,
      mend: 'Call it in the first',
    };
  }
  return Array.isArray(value) ? undefined : problemOfHidden(value, path);
}

/** What JSON makes an empty object of, whatever there is in it. */
function problemOfHidden(value: object, path: string): JsonProblem | undefined {
  if (isObservable(value)) {
    return {
      fact: `${path} is an Observable`,
      mend: 'Await it in the step: firstValueFrom(value)',
    };
  }
  if (Symbol.iterator in value || Symbol.asyncIterator in value) {
    return { fact: `${path} is iterable`, mend: 'Return a list of its items' };
  }
  if (Object.keys(value).length === 0 && hasAccessors(Object.getPrototypeOf(value))) {
    return {
      fact: `${path} is an instance of ${value.constructor.name}, of which JSON sees nothing`,
      mend: 'Return plain data',
    };
  }
  return undefined;
}

/** Whether a class reads its members from elsewhere than from its instances. */
function hasAccessors(prototype: unknown): boolean {
  if (typeof prototype !== 'object' || prototype === null) return false;
  return (
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).some(
      ([name, member]) => member.get !== undefined && name !== '__proto__',
    ) || hasAccessors(Object.getPrototypeOf(prototype))
  );
}
