import { Logger } from '@nestjs/common';
import type { McpChange, McpChangedList, McpChangedThing } from './mcp-change.js';
import type { McpChangeBus } from './mcp-change.bus.js';
import { NextTurn } from './next-turn.js';

/**
 * Announces changes to the clients that listen for them (`subscriptions/listen`), on every instance
 * that shares the change bus. Inject it anywhere; of a server with a `name`, with
 * `@InjectMcpNotifier(name)`.
 *
 * 1. Announcing returns at once and never fails: a notification is a hint, and a bus that is down
 *    must not break the work that caused it. What the bus says is logged.
 * 2. What is announced several times in one turn of the event loop is announced once.
 * 3. The bus is told outside of the context of whoever announces.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class McpNotifier {
  private readonly logger = new Logger('McpNotifier');
  private readonly waiting = new Map<string, McpChange>();
  private readonly turn = new NextTurn(() => void this.flush());

  /** @internal */
  constructor(
    private readonly server: string,
    private readonly bus: McpChangeBus,
  ) {}

  /** The list of tools has changed. */
  toolsChanged(): void {
    this.announce({ type: 'tools' });
  }

  /** The list of prompts has changed. */
  promptsChanged(): void {
    this.announce({ type: 'prompts' });
  }

  /** The list of resources, or that of templates, has changed. */
  resourcesChanged(): void {
    this.announce({ type: 'resources' });
  }

  /**
   * What a resource holds has changed. An instance tells its clients of what it serves itself, and
   * those only who may read it.
   * @param uri as clients read it
   */
  resourceUpdated(uri: string): void {
    this.announce({ type: 'resource', uri });
  }

  /** @internal */
  extensionChanged(extension: string, key: string): void {
    this.announce({ type: 'extension', extension, key });
  }

  /** @internal */
  listChanged(list: McpChangedList): void {
    this.announce({ type: list });
  }

  private announce(thing: McpChangedThing): void {
    this.waiting.set(JSON.stringify(thing), { ...thing, server: this.server });
    this.turn.plan();
  }

  private async flush(): Promise<void> {
    const changes = [...this.waiting.values()];
    this.waiting.clear();
    const results = await Promise.allSettled(
      changes.map(async (change) => this.bus.publish(change)),
    );
    for (const result of results) {
      if (result.status === 'rejected') this.logger.error(result.reason);
    }
  }
}
