import type { Type } from '@nestjs/common';
import type { McpNotifier } from '../../changes/index.js';
import type {
  McpCompletionOptions,
  McpPromptOptions,
  McpResourceOptions,
  McpToolOptions,
} from '../../decorators/index.js';
import type { HandlerExplorer } from '../../discovery/index.js';
import type { CompletedArgument, CompletionsFeature } from '../completions/index.js';
import type { PromptsFeature } from '../prompts/index.js';
import type { ResourcesFeature } from '../resources/index.js';
import type { ToolsFeature } from '../tools/index.js';

/** The names of a provider's methods. */
export type MethodName<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never;
}[keyof T] &
  string;

/**
 * Adds and removes tools, prompts, resources and completions while the application runs. What is added is a method
 * of a provider, marked with `@McpHandler()`, and goes through guards, interceptors, pipes and filters
 * like every other handler; one method may serve many names. Every change is announced to the clients
 * that listen. It changes this instance only: where several run, each must be told.
 *
 * Inject it anywhere; of a server with a `name`, with `@InjectMcpRegistry(name)`.
 *
 * @example
 * registry.addTool({ name: 'report_7', input: schema }, ReportTools, 'run');
 */
export class McpRegistry {
  /** @internal */
  constructor(
    private readonly explorer: HandlerExplorer,
    private readonly tools: ToolsFeature,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
    private readonly completions: CompletionsFeature,
    private readonly notifier: McpNotifier,
  ) {}

  /**
   * Makes a method a tool.
   * @throws HandlerDefinitionException as the boot would: name taken, schema unusable, no handler
   */
  addTool<T extends object>(
    options: McpToolOptions,
    provider: Type<T>,
    method: MethodName<T>,
  ): void {
    this.tools.add({ kind: 'tool', host: this.explorer.locate('tool', provider, method), options });
    this.notifier.toolsChanged();
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
    this.prompts.add({
      kind: 'prompt',
      host: this.explorer.locate('prompt', provider, method),
      options,
    });
    this.notifier.promptsChanged();
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
    this.resources.add({
      kind: 'resource',
      host: this.explorer.locate('resource', provider, method),
      options,
    });
    this.notifier.resourcesChanged();
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
    const removed = this.tools.remove(name);
    if (removed) this.notifier.toolsChanged();
    return removed;
  }

  /** Removes a prompt, however it came. `false` when there was none. */
  removePrompt(name: string): boolean {
    const removed = this.prompts.remove(name);
    if (removed) this.notifier.promptsChanged();
    return removed;
  }

  /** Removes a resource by its uri, or a template by its text. `false` when there was none. */
  removeResource(uriOrTemplate: string): boolean {
    const removed = this.resources.remove(uriOrTemplate);
    if (removed) this.notifier.resourcesChanged();
    return removed;
  }

  /**
   * Removes the completion of an argument, however it came; values that the argument's type names
   * complete it again. `false` when there was none.
   */
  removeCompletion(completed: CompletedArgument): boolean {
    return this.completions.remove(completed);
  }
}
