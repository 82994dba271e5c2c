import { Injectable, Logger } from '@nestjs/common';
import { type DiscoveredHandler, HandlerRegistry } from '../../discovery/index.js';
import { InternalErrorException, InvalidParamsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { CallRunner, HandlerInvokerFactory } from '../../pipeline/index.js';
import {
  type GetPromptResult,
  type InputRequiredResult,
  McpMethod,
  type Prompt,
} from '../../protocol/index.js';
import { toProtocolError } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { type ListPage, ListPages } from '../lists/list-pages.js';
import { compilePrompt, type PromptEntry } from './prompt.entry.js';
import { toPromptResult } from './prompt-result.mapper.js';

/**
 * `prompts/list` and `prompts/get`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
@Injectable()
export class PromptsFeature {
  private readonly logger = new Logger('McpPrompts');
  private readonly registry = new HandlerRegistry<PromptEntry>('prompt name');
  private pages?: ListPages<'prompts', Prompt>;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly invokers: HandlerInvokerFactory,
    private readonly runner: CallRunner,
  ) {}

  /** @throws HandlerDefinitionException */
  register(handlers: readonly Extract<DiscoveredHandler, { kind: 'prompt' }>[]): void {
    for (const handler of handlers) {
      const entry = compilePrompt(handler, this.invokers);
      this.registry.add(entry.name, entry);
    }
    this.pages = new ListPages(
      'prompts',
      this.registry.values.map((entry) => entry.descriptor),
      (prompt) => prompt.name,
      this.options.lists,
    );
  }

  get isEmpty(): boolean {
    return this.registry.values.length === 0;
  }

  list(params: Record<string, unknown>): ListPage<'prompts', Prompt> {
    return (this.pages as ListPages<'prompts', Prompt>).page(params['cursor']);
  }

  async get(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Promise<GetPromptResult | InputRequiredResult> {
    const request = callRequest(McpMethod.PromptsGet, 'name', params);
    const prompt = this.registry.get(request.target);
    if (prompt === undefined) throw new InvalidParamsException(`Unknown prompt: ${request.target}`);
    const end = await this.runner.run(prompt, exchange, request);
    switch (end.type) {
      case 'suspended':
        return end.result;
      case 'returned':
        return this.toResult(prompt, end.value);
      case 'failed':
        throw toProtocolError(end, this.options.exposeErrors);
    }
  }

  private toResult(prompt: PromptEntry, value: unknown): GetPromptResult {
    try {
      return toPromptResult(prompt.name, value, prompt.descriptor.description);
    } catch (error) {
      this.logger.error(error);
      throw new InternalErrorException();
    }
  }
}
