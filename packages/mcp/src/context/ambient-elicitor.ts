import { Injectable, type Type } from '@nestjs/common';
import type { FormWriter } from '../schema/index.js';
import { currentContext } from './context.storage.js';
import type { ElicitAnswer } from './elicit-answer.js';
import { type ElicitOptions, McpElicitor } from './mcp-elicitor.js';

/** The elicitor that services inject: finds the handler that is running. */
@Injectable()
export class AmbientElicitor extends McpElicitor {
  override async elicit<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options?: ElicitOptions,
  ): Promise<ElicitAnswer<C>> {
    // The body of an async function runs up to its first await at once: keys follow the calls.
    return currentContext('elicit()').elicit(message, form, options);
  }
}
