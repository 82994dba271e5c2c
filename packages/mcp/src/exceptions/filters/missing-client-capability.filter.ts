import { Catch, type ExceptionFilter } from '@nestjs/common';
import { MissingClientCapabilityException } from '../missing-client-capability.exception.js';
import { MissingRequiredClientCapabilityException } from '../missing-required-client-capability.exception.js';

/** Answers a missing capability with -32021 and what was required; never with a tool error. */
@Catch(MissingClientCapabilityException)
export class MissingClientCapabilityFilter implements ExceptionFilter<MissingClientCapabilityException> {
  catch(exception: MissingClientCapabilityException): never {
    throw new MissingRequiredClientCapabilityException(
      exception.message,
      exception.requiredCapabilities,
    );
  }
}
