import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  InvalidOptionsException,
  type McpExtendedTool,
  McpExtension,
  type McpExtensionHost,
  type McpExtensionMethod,
  type McpExtensionTopic,
  type McpToolTaker,
} from '@dacapo/mcp';
import type { McpTaskOptions } from './decorators/mcp-task.decorator.js';
import type { ResolvedTasksOptions } from './mcp-tasks-module-options.interface.js';
import { TASKS_EXTENSION } from './protocol/task.js';
import type { McpTaskRunner } from './runner/mcp-task.runner.js';
import { InProcessTaskRunner } from './runner/in-process-task.runner.js';
import { InMemoryTaskStore } from './store/in-memory-task.store.js';
import type { McpTaskStore } from './store/mcp-task.store.js';
import { TaskMethods } from './task-methods.js';
import { resolveTaskOptions } from './task-options.js';
import { TaskPlayer } from './task-player.js';
import { TaskTaker } from './task.taker.js';

/** What there is once a server has taken the extension. */
interface Attached {
  readonly host: McpExtensionHost;
  readonly player: TaskPlayer;
  readonly methods: TaskMethods;
}

/** `io.modelcontextprotocol/tasks`, of one server. */
@Injectable()
export class McpTasksExtension
  extends McpExtension
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  override readonly identifier = TASKS_EXTENSION;
  private attached?: Attached;

  constructor(
    override readonly server: string,
    private readonly options: ResolvedTasksOptions,
    private readonly store: McpTaskStore,
    private readonly runner: McpTaskRunner,
  ) {
    super();
  }

  override get methods(): readonly McpExtensionMethod[] {
    return this.attached?.methods.all ?? [];
  }

  override get topic(): McpExtensionTopic | undefined {
    return this.attached?.methods.topic;
  }

  override attach(host: McpExtensionHost): void {
    const { store, runner } = this;
    const { takeoverMs } = this.options;
    const player = new TaskPlayer({ host, store, runner, takeoverMs });
    this.attached = { host, player, methods: new TaskMethods(host, store, player) };
  }

  override extendTool(tool: McpExtendedTool, options: unknown): McpToolTaker {
    const { host, player } = this.there();
    const resolved = resolveTaskOptions(tool, options as McpTaskOptions, this.options);
    return new TaskTaker(host, this.store, player, resolved);
  }

  /** @throws InvalidOptionsException when there is no such server */
  async onApplicationBootstrap(): Promise<void> {
    const { host, player } = this.there();
    const warning = this.warning();
    if (warning !== undefined) new Logger('McpTasksModule').warn(warning);
    await this.runner.start(host.scope, (ticket) => player.play(ticket));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.attached?.player.stop(this.options.graceMs);
  }

  /** What is not fit for several instances. */
  private warning(): string | undefined {
    const keepsHere = this.store instanceof InMemoryTaskStore;
    const playsHere = this.runner instanceof InProcessTaskRunner;
    if (keepsHere) {
      return (
        'Tasks are kept in this process: a restart forgets them, and other instances do not know them. ' +
        `Give McpTasksModule a store ${playsHere ? 'and a runner ' : ''}that all instances share before you deploy.`
      );
    }
    if (!playsHere) return undefined;
    return (
      'Rounds of tasks are played in this process, and its store may be shared: each instance that is asked for a task would play it, ' +
      'and nobody takes over the rounds of one that has died until a client asks. ' +
      'Give McpTasksModule a runner that all instances share, too.'
    );
  }

  private there(): Attached {
    if (this.attached !== undefined) return this.attached;
    throw new InvalidOptionsException(
      'server',
      `is ${JSON.stringify(this.server)}, and the application has no such server`,
      'Import McpModule.forRoot(…) in its root module, or give the name of one of its servers',
      'McpTasksModule',
    );
  }
}
