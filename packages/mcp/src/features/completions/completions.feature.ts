import { Injectable, Logger } from '@nestjs/common';
import type { McpCompletionOptions } from '../../decorators/index.js';
import { type CompletionHandler, HandlerRegistry } from '../../discovery/index.js';
import {
  InternalErrorException,
  InvalidParamsException,
  MethodNotFoundException,
} from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { settleCall } from '../../pipeline/index.js';
import { type CompleteResult, McpMethod } from '../../protocol/index.js';
import { definitionError } from '../argument-schema.js';
import { toProtocolError } from '../call-errors.js';
import { HandlerCompiler } from '../handler-compiler.js';
import type { PromptEntry } from '../prompts/prompt.entry.js';
import { PromptsFeature } from '../prompts/index.js';
import type { ResourceTemplateEntry } from '../resources/resource.entry.js';
import { ResourcesFeature } from '../resources/index.js';
import type { ArgumentCompletions } from './argument-completions.js';
import { type CompletionRequest, completionRequest } from './complete-params.js';
import { toCompleteResult } from './complete-result.mapper.js';
import { CompletionCall } from './completion-call.js';
import { compileCompletion, type CompletionEntry, nameOf } from './completion.entry.js';

type Reference = CompletionRequest['ref'];

/** What a completion completes. */
export type CompletedArgument = Pick<McpCompletionOptions, 'prompt' | 'resource' | 'argument'>;

/**
 * `completion/complete`.
 *
 * 1. What is hidden from a caller completes nothing: it is answered like what is not there.
 * 2. Guards decide before anything is told: those of the completion's method, and those of the prompt
 *    or resource where no method completes.
 * 3. A method outranks the values an argument's type names; it and a `complete` option exclude each
 *    other.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
@Injectable()
export class CompletionsFeature {
  private readonly logger = new Logger('McpCompletions');
  private readonly entries = new HandlerRegistry<CompletionEntry>(
    'completion of the',
    'Remove one of them',
  );

  constructor(
    private readonly options: ResolvedOptions,
    private readonly compiler: HandlerCompiler,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
  ) {}

  /** @throws HandlerDefinitionException */
  add(handler: CompletionHandler): CompletionEntry {
    return this.hold(compileCompletion(handler, this.compiler));
  }

  /**
   * Adds a completion of something that is there.
   * @throws HandlerDefinitionException
   */
  addChecked(handler: CompletionHandler): CompletionEntry {
    const entry = compileCompletion(handler, this.compiler);
    this.check(entry);
    return this.hold(entry);
  }

  /** `false` when there was none. */
  remove({ prompt, resource = '', argument }: CompletedArgument): boolean {
    const ref: Reference =
      prompt === undefined
        ? { type: 'ref/resource', uri: resource }
        : { type: 'ref/prompt', name: prompt };
    return this.entries.remove(keyOf(ref, argument)) !== undefined;
  }

  /**
   * Holds every completion against what it completes, which must be there by now.
   * @throws HandlerDefinitionException
   */
  checkAll(): void {
    for (const entry of this.entries.values) this.check(entry);
  }

  /**
   * Holds a completion against what it completes.
   * @throws HandlerDefinitionException
   */
  private check({ host, ref, argument, uses }: CompletionEntry): void {
    const target = this.completionsOf(ref);
    if (target === undefined) {
      throw definitionError(
        host,
        `it completes the ${describe(ref)}, which the server "${this.options.name}" does not have`,
        `Correct the name; there are: ${listed(this.targets(ref).map(({ name }) => name))}`,
      );
    }
    const { names, builtIn } = target;
    const unknown = [argument, ...uses].find((name) => names?.includes(name) === false);
    if (unknown !== undefined) {
      throw definitionError(
        host,
        `the ${describe(ref)} has no argument "${unknown}"`,
        `Correct the name; there are: ${listed(names ?? [])}`,
      );
    }
    if (builtIn.get(argument)?.declared === true) {
      throw definitionError(
        host,
        `the argument "${argument}" of the ${describe(ref)} has a complete option too`,
        'Remove one of them',
      );
    }
  }

  /** True when nothing can be completed. */
  get isEmpty(): boolean {
    return !(
      this.entries.values.some(({ ref }) => this.completionsOf(ref) !== undefined) ||
      [...this.prompts.entries, ...this.resources.templateEntries].some(
        ({ completions }) => completions.builtIn.size > 0,
      )
    );
  }

  async complete(exchange: McpExchange, params: Record<string, unknown>): Promise<CompleteResult> {
    if (this.isEmpty) throw new MethodNotFoundException(McpMethod.CompletionComplete);
    const request = completionRequest(params);
    const { ref, argument } = request;
    const target = await this.find(ref, exchange);
    if (target.names?.includes(argument) === false) {
      throw new InvalidParamsException(`The ${describe(ref)} has no argument "${argument}".`);
    }
    return this.run(target, exchange, request);
  }

  private hold(entry: CompletionEntry): CompletionEntry {
    const { ref, argument } = entry;
    this.entries.add(keyOf(ref, argument), entry, `${describe(ref)}, argument "${argument}"`);
    return entry;
  }

  private async run(
    target: ArgumentCompletions,
    exchange: McpExchange,
    request: CompletionRequest,
  ): Promise<CompleteResult> {
    const { ref, argument } = request;
    const name = nameOf(ref);
    const entry = this.entries.get(keyOf(ref, argument));
    const builtIn = target.builtIn.get(argument);
    const call = new CompletionCall(entry ?? target, name, exchange, request);
    const end = await settleCall(call, () => {
      if (entry !== undefined) return entry.invoke(call);
      const answer = async (): Promise<unknown> => await builtIn?.complete(call.context());
      return target.gate(call, () => call.play(answer));
    });
    switch (end.type) {
      case 'returned':
        return this.toResult(name, end.value);
      case 'failed':
        throw toProtocolError(end, this.options.exposeErrors);
    }
  }

  /** @throws InvalidParamsException for what the caller may not know of, and for what is not there */
  private async find(ref: Reference, exchange: McpExchange): Promise<ArgumentCompletions> {
    const entry =
      ref.type === 'ref/prompt'
        ? await this.prompts.find(ref.name, exchange)
        : await this.resources.findReferenced(ref.uri, exchange);
    if (entry === undefined) throw new InvalidParamsException(`Unknown ${describe(ref)}`);
    if (entry.kind === 'resource') {
      throw new InvalidParamsException(`The resource "${entry.name}" has no arguments.`);
    }
    return entry.completions;
  }

  private completionsOf(ref: Reference): ArgumentCompletions | undefined {
    return this.targets(ref).find(({ name }) => name === nameOf(ref))?.completions;
  }

  private targets(ref: Reference): readonly (PromptEntry | ResourceTemplateEntry)[] {
    return ref.type === 'ref/prompt' ? this.prompts.entries : this.resources.templateEntries;
  }

  private toResult(name: string, value: unknown): CompleteResult {
    try {
      return toCompleteResult(name, value);
    } catch (error) {
      this.logger.error(error);
      throw new InternalErrorException();
    }
  }
}

function describe(ref: Reference): string {
  return ref.type === 'ref/prompt' ? `prompt "${ref.name}"` : `resource template "${ref.uri}"`;
}

function keyOf(ref: Reference, argument: string): string {
  return JSON.stringify([ref.type, nameOf(ref), argument]);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
