import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import { isJsonObject } from '../protocol/index.js';

/**
 * Makes an instance of a DTO from JSON, and JSON of an instance that was made so.
 *
 * 1. What `@Type()` or a nested DTO gives a class is made by class-transformer, as ever.
 * 2. What has no class arrives as it came. class-transformer would take the value's `constructor` for
 *    its class, which is the caller's to send, and leave out what is named like an inherited method.
 * 3. `@Transform()` is given the value of 1 or 2.
 * 4. Nothing has a member `__proto__`, and nothing is shared with the JSON.
 */
export function dtoInstance<T extends object>(dto: Type<T>, json: object): T {
  return new DtoTransformer(
    TransformationType.PLAIN_TO_CLASS,
    // The items of a Set, and the values of a Map, have the same target as it.
    (value, target, isMap) =>
      target === undefined || (target === Object && !isMap && isJsonObject(value)),
  ).transform(undefined, json, dto) as T;
}

/** Plain data of an instance that {@link dtoInstance} has made, under the names that clients are shown. */
export function dtoPlain(instance: object): object {
  return new DtoTransformer(
    TransformationType.CLASS_TO_PLAIN,
    (value, _target, isMap) => !isMap && hasNoClass(value),
  ).transform(undefined, instance, undefined) as object;
}

/** Copies what class-transformer must not look at. */
class DtoTransformer extends TransformOperationExecutor {
  constructor(
    type: TransformationType,
    private readonly isPlain: (value: unknown, target: unknown, isMap: boolean) => boolean,
  ) {
    // All other options that class-transformer has are off.
    super(type, { exposeUnsetFields: true });
  }

  override transform(...args: Parameters<TransformOperationExecutor['transform']>): unknown {
    const [, value, target, , isMap] = args;
    return this.isPlain(value, target, isMap === true) ? copy(value) : super.transform(...args);
  }
}

/** Told by the prototype: a member may be called `constructor`. */
function hasNoClass(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!hasNoClass(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__proto__')
      .map(([name, member]) => [name, copy(member)]),
  );
}
