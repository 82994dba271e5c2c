import type { Type } from '@nestjs/common';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitAction,
  Root,
} from '../protocol/index.js';
import type { FormWriter } from '../schema/index.js';
import { currentContext } from './context.storage.js';
import type { ElicitAnswer } from './elicit-answer.js';
import { type AskOptions, McpElicitor, type NeededAskOptions } from './mcp-elicitor.js';

/**
 * The elicitor that services inject: finds the handler that is running. The body of an async function
 * runs up to its first await at once, so that keys follow the calls.
 */
export class AmbientElicitor extends McpElicitor {
  override async elicit<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options?: AskOptions,
  ): Promise<ElicitAnswer<C>> {
    return currentContext('elicit()').elicit(message, form, options);
  }

  override async ask<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options?: NeededAskOptions,
  ): Promise<C> {
    return currentContext('ask()').ask(message, form, options);
  }

  override async confirm(message: string, options?: AskOptions): Promise<boolean> {
    return currentContext('confirm()').confirm(message, options);
  }

  override async elicitUrl(
    message: string,
    url: string,
    options?: AskOptions,
  ): Promise<{ readonly action: ElicitAction }> {
    return currentContext('elicitUrl()').elicitUrl(message, url, options);
  }

  override async sample(
    params: CreateMessageRequestParams,
    options?: AskOptions,
  ): Promise<CreateMessageResult> {
    return currentContext('sample()').sample(params, options);
  }

  override async listRoots(options?: AskOptions): Promise<readonly Root[]> {
    return currentContext('listRoots()').listRoots(options);
  }
}
