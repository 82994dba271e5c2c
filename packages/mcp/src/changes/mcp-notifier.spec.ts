import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { McpChange } from './mcp-change.js';
import { McpChangeBus } from './mcp-change.bus.js';
import { McpNotifier } from './mcp-notifier.js';

const storage = new AsyncLocalStorage<string>();

/** Keeps what is published, and in whose context. */
class WitnessBus extends McpChangeBus {
  readonly published: McpChange[] = [];
  readonly contexts: unknown[] = [];

  override async publish(change: McpChange): Promise<void> {
    this.published.push(change);
    this.contexts.push(storage.getStore());
    await Promise.resolve();
    this.contexts.push(storage.getStore());
  }

  override subscribe(): () => void {
    return () => undefined;
  }
}

describe('McpNotifier', () => {
  it('gathers what is announced in a turn', async () => {
    const bus = new WitnessBus();
    const notifier = new McpNotifier('books', bus);
    for (let times = 0; times < 2; times++) {
      notifier.toolsChanged();
      notifier.resourceUpdated('books://1');
      notifier.resourceUpdated('books://2');
    }
    expect(bus.published).toEqual([]);
    await turn();
    const changes = [
      { type: 'tools', server: 'books' },
      { type: 'resource', uri: 'books://1', server: 'books' },
      { type: 'resource', uri: 'books://2', server: 'books' },
    ];
    expect(bus.published).toEqual(changes);
    notifier.promptsChanged();
    notifier.resourcesChanged();
    await turn();
    expect(bus.published).toEqual([
      ...changes,
      { type: 'prompts', server: 'books' },
      { type: 'resources', server: 'books' },
    ]);
  });

  it('publishes in the context in which it was made, whoever announces', async () => {
    const bus = new WitnessBus();
    const notifier = storage.run('the application', () => new McpNotifier('books', bus));
    storage.run('a request', () => notifier.toolsChanged());
    storage.run('another one', () => notifier.promptsChanged());
    await turn();
    expect(new Set(bus.contexts)).toEqual(new Set(['the application']));
    const free = new McpNotifier('books', bus);
    bus.contexts.length = 0;
    storage.run('a request', () => free.toolsChanged());
    await turn();
    expect(bus.contexts).toEqual([undefined, undefined]);
  });
});
