import { Catch, type ExceptionFilter } from '@nestjs/common';
import { EmptyError } from 'rxjs';

/**
 * An interceptor that ends without a value is no failure, but rxjs reports it as one, and Nest would
 * log it. The runner reads it as "returned nothing".
 */
@Catch(EmptyError)
export class EmptyResultFilter implements ExceptionFilter<EmptyError> {
  catch(exception: EmptyError): never {
    throw exception;
  }
}
