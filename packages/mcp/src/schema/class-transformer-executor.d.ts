/** The worker of class-transformer, which has no public entry. */
declare module 'class-transformer/cjs/TransformOperationExecutor.js' {
  import type { ClassTransformOptions, TransformationType } from 'class-transformer';

  export class TransformOperationExecutor {
    constructor(type: TransformationType, options: ClassTransformOptions);
    /** Calls itself for every member and item. */
    transform(
      source: unknown,
      value: unknown,
      target: unknown,
      listType?: unknown,
      isMap?: boolean,
      level?: number,
    ): unknown;
  }
}
