import { Catch, type ExceptionFilter } from '@nestjs/common';
import { LedgerMismatchException } from '../ledger-mismatch.exception.js';
import { RequestStateRejectedException } from '../request-state-rejected.exception.js';

/** Answers a ledger mismatch with -32602 and both questions; never with a tool error. */
@Catch(LedgerMismatchException)
export class LedgerMismatchFilter implements ExceptionFilter<LedgerMismatchException> {
  catch(exception: LedgerMismatchException): never {
    throw toRejection(exception);
  }
}

/** The protocol error a mismatch stands for. */
export function toRejection(mismatch: LedgerMismatchException): RequestStateRejectedException {
  return new RequestStateRejectedException('ledger_mismatch', mismatch.message, {
    key: mismatch.key,
    position: mismatch.position,
    recorded: mismatch.recorded,
    attempted: mismatch.attempted,
  });
}
