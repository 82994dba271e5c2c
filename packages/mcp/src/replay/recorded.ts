import type { Subscribable } from 'rxjs';

/**
 * A type as it comes back through JSON: what has `toJSON()` is what that returns (`Date` is a string),
 * functions and symbols are left out, and classes lose their methods. What cannot be recorded is
 * `never`.
 */
export type Recorded<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : undefined extends T // void
      ? undefined
      : T extends { toJSON(...args: never[]): infer J }
        ? Recorded<J>
        : T extends readonly unknown[]
          ? RecordedList<T>
          : T extends Unrecordable
            ? never
            : { [K in keyof T as T[K] extends Lost ? never : K]: Recorded<T[K]> };

/** What JSON leaves out of an object. */
type Lost = ((...args: never[]) => unknown) | symbol;

type Unrecordable =
  | Lost
  | bigint
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | WeakMap<never, unknown>
  | WeakSet<never>
  | ArrayBufferLike
  | ArrayBufferView
  | PromiseLike<unknown>
  | Subscribable<unknown>
  | Iterable<unknown>
  | AsyncIterable<unknown>
  | Error
  | RegExp;

/** In a list, what is not there is `null`. */
type RecordedList<T extends readonly unknown[]> = {
  [I in keyof T]: Recorded<Exclude<T[I], undefined>> | (undefined extends T[I] ? null : never);
};
