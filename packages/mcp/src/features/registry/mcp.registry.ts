import type { Type } from '@nestjs/common';
import type { McpChangedList, McpNotifier } from '../../changes/index.js';
import type {
  McpCompletionOptions,
  McpPromptOptions,
  McpResourceOptions,
  McpToolOptions,
} from '../../decorators/index.js';
import type { HandlerExplorer } from '../../discovery/index.js';
import type { VisibilityRule } from '../../pipeline/index.js';
import type { CompletedArgument, CompletionsFeature } from '../completions/index.js';
import type { PromptsFeature } from '../prompts/index.js';
import type { ResourcesFeature } from '../resources/index.js';
import type { SubscriptionsFeature } from '../subscriptions/index.js';
import type { ToolsFeature } from '../tools/index.js';
import { ListChanges } from './list-changes.js';

/** The names of a provider's methods. */
export type MethodName<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never;
}[keyof T] &
  string;

/**
 * Adds and removes tools, prompts, resources and completions while the application runs. What is added is a method
 * of a provider, marked with `@McpHandler()`, and goes through guards, interceptors, pipes and filters
 * like every other handler; one method may serve many names. Every change is announced to the clients
 * that listen and may know of the handler. It changes this instance only: where several run, each must
 * be told.
 *
 * Inject it anywhere; of a server with a `name`, with `@InjectMcpRegistry(name)`.
 *
 * @example
 * registry.addTool({ name: 'report_7', input: schema }, ReportTools, 'run');
 */
export class McpRegistry {
  private readonly changes: ListChanges;

  /** @internal */
  constructor(
    private readonly explorer: HandlerExplorer,
    private readonly tools: ToolsFeature,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
    private readonly completions: CompletionsFeature,
    notifier: McpNotifier,
    subscriptions: SubscriptionsFeature,
  ) {
    this.changes = new ListChanges(notifier, subscriptions);
  }

  /**
   * Makes a method a tool.
   * @throws HandlerDefinitionException as the boot would: name taken, schema unusable, no handler
   */
  addTool<T extends object>(
    options: McpToolOptions,
    provider: Type<T>,
    method: MethodName<T>,
  ): void {
    const host = this.explorer.locate('tool', provider, method);
    this.changes.announce('tools', this.tools.add({ kind: 'tool', host, options }));
  }

  /**
   * Makes a method a prompt.
   * @throws HandlerDefinitionException as the boot would
   */
  addPrompt<T extends object>(
    options: McpPromptOptions,
    provider: Type<T>,
    method: MethodName<T>,
  ): void {
    const host = this.explorer.locate('prompt', provider, method);
    this.changes.announce('prompts', this.prompts.add({ kind: 'prompt', host, options }));
  }

  /**
   * Makes a method a resource, or a template for many.
   * @throws HandlerDefinitionException as the boot would
   */
  addResource<T extends object>(
    options: McpResourceOptions,
    provider: Type<T>,
    method: MethodName<T>,
  ): void {
    const host = this.explorer.locate('resource', provider, method);
    this.changes.announce('resources', this.resources.add({ kind: 'resource', host, options }));
  }

  /**
   * Makes a method complete an argument of a prompt, or a variable of a resource template, that is
   * there already. When what it completes is removed it refuses, until that is back.
   * @throws HandlerDefinitionException as the boot would
   */
  addCompletion<T extends object>(
    options: McpCompletionOptions,
    provider: Type<T>,
    method: MethodName<T>,
  ): void {
    this.completions.addChecked({
      kind: 'completion',
      host: this.explorer.locate('completion', provider, method),
      options,
    });
  }

  /** Removes a tool, however it came; calls under way go on. `false` when there was none. */
  removeTool(name: string): boolean {
    return this.gone('tools', this.tools.remove(name));
  }

  /** Removes a prompt, however it came. `false` when there was none. */
  removePrompt(name: string): boolean {
    return this.gone('prompts', this.prompts.remove(name));
  }

  /** Removes a resource by its uri, or a template by its text. `false` when there was none. */
  removeResource(uriOrTemplate: string): boolean {
    return this.gone('resources', this.resources.remove(uriOrTemplate));
  }

  /**
   * Removes the completion of an argument, however it came; values that the argument's type names
   * complete it again. `false` when there was none.
   */
  removeCompletion(completed: CompletedArgument): boolean {
    return this.completions.remove(completed);
  }
  private gone(
    list: McpChangedList,
    entry: { readonly visible: VisibilityRule | undefined } | undefined,
  ): boolean {
    if (entry === undefined) return false;
    this.changes.announce(list, entry);
    return true;
  }
}
