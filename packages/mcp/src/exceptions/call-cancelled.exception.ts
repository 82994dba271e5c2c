import { IntrinsicException } from '@nestjs/common';

/**
 * A handler stopped because its signal had aborted. Interceptors and filters see it instead of the
 * `AbortError` the handler threw; nobody gets an answer, and it is not logged.
 */
export class CallCancelledException extends IntrinsicException {
  constructor(cause: unknown) {
    super('The call was cancelled: its client has gone away or has taken it back.', { cause });
    this.name = 'CallCancelledException';
  }
}
