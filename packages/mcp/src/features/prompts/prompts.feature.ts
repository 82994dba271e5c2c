import { Injectable } from '@nestjs/common';
import type { PromptHandler } from '../../discovery/index.js';
import { InvalidParamsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { CallRunner } from '../../pipeline/index.js';
import {
  type Awaitable,
  type GetPromptResult,
  type InputRequiredResult,
  McpMethod,
  type Prompt,
} from '../../protocol/index.js';
import { toProtocolError } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { ResultMapper } from '../content/result-mapper.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { HandlerList } from '../lists/handler-list.js';
import type { ListPage } from '../lists/list-pages.js';
import { compilePrompt, type PromptEntry } from './prompt.entry.js';
import { toPromptResult } from './prompt-result.mapper.js';

/**
 * `prompts/list` and `prompts/get`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
@Injectable()
export class PromptsFeature {
  private readonly prompts: HandlerList<'prompts', Prompt, PromptEntry>;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly compiler: HandlerCompiler,
    private readonly runner: CallRunner,
    private readonly results: ResultMapper,
  ) {
    this.prompts = new HandlerList(
      'prompts',
      'prompt name',
      (prompt) => prompt.name,
      options.lists,
    );
  }

  /** @throws HandlerDefinitionException */
  add(handler: PromptHandler): PromptEntry {
    const entry = compilePrompt(handler, this.compiler);
    this.prompts.add(entry.name, entry);
    return entry;
  }

  /** The prompt that was there. */
  remove(name: string): PromptEntry | undefined {
    return this.prompts.remove(name);
  }

  get isEmpty(): boolean {
    return this.prompts.isEmpty;
  }

  /** For the server's own use: a caller may not know of them. */
  get entries(): readonly PromptEntry[] {
    return this.prompts.values;
  }

  list(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Awaitable<ListPage<'prompts', Prompt>> {
    return this.prompts.page(exchange, params['cursor']);
  }

  /** A prompt the caller may know of. */
  async find(name: string, exchange: McpExchange): Promise<PromptEntry | undefined> {
    const prompt = this.prompts.get(name);
    return prompt !== undefined && (await this.prompts.shows(prompt, exchange))
      ? prompt
      : undefined;
  }

  async get(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Promise<GetPromptResult | InputRequiredResult> {
    const request = callRequest(McpMethod.PromptsGet, 'name', params);
    const prompt = await this.find(request.target, exchange);
    if (prompt === undefined) throw new InvalidParamsException(`Unknown prompt: ${request.target}`);
    return this.runner.run(prompt, exchange, request, (end) => {
      if (end.type === 'failed') throw toProtocolError(end, this.options.exposeErrors);
      return this.results.run(() => toPromptResult(prompt, end.value));
    });
  }
}
