import { IntrinsicException } from '@nestjs/common';
import type { ClientCapabilities } from '../protocol/index.js';

/**
 * A handler asked for something the client did not declare on this request. A handler may catch it
 * and do without; uncaught, a filter turns it into a `MissingRequiredClientCapability` error.
 */
export class MissingClientCapabilityException extends IntrinsicException {
  constructor(
    /** What was needed, e.g. `elicitation (form mode)`. */
    readonly what: string,
    /** The capabilities object that would have been enough. */
    readonly requiredCapabilities: ClientCapabilities,
  ) {
    super(
      `This call needs ${what}, which the client did not declare in its capabilities. ` +
        `Declare it in params._meta["io.modelcontextprotocol/clientCapabilities"]${placeOf(requiredCapabilities)} and repeat the call.`,
    );
    this.name = 'MissingClientCapabilityException';
  }
}

/** Extensions have a place of their own among the capabilities. */
function placeOf(required: ClientCapabilities): string {
  return Object.keys(required).every((name) => name === 'extensions') ? '.extensions' : '';
}
