import { HandlerRegistry, type Registered } from '../../discovery/index.js';
import type { McpExchange } from '../../exchange/index.js';
import type { ResolvedListOptions } from '../../options/index.js';
import type { VisibilityRule } from '../../pipeline/index.js';
import type { Awaitable } from '../../protocol/index.js';
import { type ListPage, ListPages } from './list-pages.js';
import { mayKnow } from './may-know.js';

/** A handler that lists show. */
export interface Listed<D> extends Registered {
  readonly descriptor: D;
  /** `undefined`: everybody may know of it. */
  readonly visible: VisibilityRule | undefined;
}

/**
 * The handlers of one kind, held by key and listed in pages.
 *
 * 1. As long as everybody sees the same, pages are made once for all callers; a list that has
 *    anything hidden is made for each caller, and marked `private`.
 * 2. A caller's cursors are good for what that caller sees: a cursor cannot tell whether something
 *    hidden is there.
 * 3. Pages made before a change are gone with it.
 */
export class HandlerList<M extends string, D, E extends Listed<D>> {
  private readonly registry: HandlerRegistry<E>;
  private pages?: ListPages<M, D>;
  private isFiltered = false;

  /** @param noun what the key is, for messages: `tool name`, `resource uri` */
  constructor(
    private readonly member: M,
    noun: string,
    private readonly keyOf: (descriptor: D) => string,
    private readonly options: ResolvedListOptions,
  ) {
    this.registry = new HandlerRegistry(noun);
  }

  get isEmpty(): boolean {
    return this.registry.size === 0;
  }

  /** In the order they were added. */
  get values(): readonly E[] {
    return this.registry.values;
  }

  /** @throws HandlerDefinitionException when the key is taken */
  add(key: string, entry: E): void {
    this.registry.add(key, entry);
    this.isFiltered ||= entry.visible !== undefined;
    delete this.pages;
  }

  /** The entry that was there. */
  remove(key: string): E | undefined {
    const entry = this.registry.remove(key);
    this.isFiltered = this.values.some(({ visible }) => visible !== undefined);
    delete this.pages;
    return entry;
  }

  /** For the server's own use: a caller may not know of it. */
  get(key: string): E | undefined {
    return this.registry.get(key);
  }

  /** @throws InvalidParamsException for a cursor this caller never got */
  page(exchange: McpExchange, cursor: unknown): ListPage<M, D> | Promise<ListPage<M, D>> {
    if (this.isFiltered) return this.pageFor(exchange, cursor);
    return (this.pages ??= this.cut(this.values, this.options)).page(cursor);
  }

  /** Whether the caller of an exchange may know of an entry. @throws McpException {@link mayKnow} */
  shows({ visible }: E, exchange: McpExchange): Awaitable<boolean> {
    return mayKnow(visible, exchange);
  }

  private async pageFor(exchange: McpExchange, cursor: unknown): Promise<ListPage<M, D>> {
    const shown = await Promise.all(this.values.map(async (entry) => this.shows(entry, exchange)));
    const visible = this.values.filter((_, index) => shown[index]);
    return this.cut(visible, { ...this.options, cacheScope: 'private' }).page(cursor);
  }

  private cut(entries: readonly E[], options: ResolvedListOptions): ListPages<M, D> {
    const items = entries.map(({ descriptor }) => descriptor);
    return new ListPages(this.member, items, this.keyOf, options);
  }
}
