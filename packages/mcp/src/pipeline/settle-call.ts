import { ForbiddenException } from '@nestjs/common';
import { EmptyError } from 'rxjs';

/** The pipeline has thrown. */
export interface FailedEnd {
  readonly type: 'failed';
  readonly error: unknown;
  /** The handler's round had begun; otherwise a guard or an interceptor refused. */
  readonly entered: boolean;
}

/** How the pipeline ended. */
export type PipelineEnd = { readonly type: 'returned'; readonly value: unknown } | FailedEnd;

/** Sends a call through a pipeline and reads how it ended. */
export async function settleCall(
  call: { readonly entered: boolean },
  pipeline: () => Promise<unknown>,
): Promise<PipelineEnd> {
  try {
    return { type: 'returned', value: await pipeline() };
  } catch (error) {
    if (!(error instanceof EmptyError)) return { type: 'failed', error, entered: call.entered };
    // After the handler, an interceptor that ends without a value returns nothing. Before it, a guard
    // or an interceptor has not let the call pass.
    return call.entered
      ? { type: 'returned', value: undefined }
      : { type: 'failed', error: new ForbiddenException(), entered: false };
  }
}
