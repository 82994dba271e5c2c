import { Catch, type ExceptionFilter } from '@nestjs/common';
import { RequestStateRejectedException } from '../request-state-rejected.exception.js';

/** Keeps a refusal what it is: no catch-all filter of the application turns it into a result. */
@Catch(RequestStateRejectedException)
export class RequestStateRejectedFilter implements ExceptionFilter<RequestStateRejectedException> {
  catch(exception: RequestStateRejectedException): never {
    throw exception;
  }
}
