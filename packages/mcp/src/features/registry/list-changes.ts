import { type McpChangedList, type McpNotifier, NextTurn } from '../../changes/index.js';
import type { VisibilityRule } from '../../pipeline/index.js';
import type { SubscriptionsFeature } from '../subscriptions/index.js';

/**
 * Announces handlers that come and go at run time.
 *
 * 1. One that everybody may know of is announced to everybody, on every instance.
 * 2. One under a visibility rule is announced to those only whom the rule lets know of it, and by this
 *    instance only: a rule cannot travel, and an instance without the handler could not ask it.
 * 3. A list that changes several times in one turn is announced once to each.
 */
export class ListChanges {
  private readonly rules = new Map<McpChangedList, VisibilityRule[]>();
  /** Announced to everybody in this turn. */
  private readonly open = new Set<McpChangedList>();
  private readonly turn = new NextTurn(() => this.flush());

  constructor(
    private readonly notifier: McpNotifier,
    private readonly subscriptions: SubscriptionsFeature,
  ) {}

  /** A handler has come or gone. */
  announce(list: McpChangedList, { visible }: { visible: VisibilityRule | undefined }): void {
    if (visible === undefined) {
      this.notifier.listChanged(list);
      this.open.add(list);
    } else {
      const rules = this.rules.get(list);
      if (rules === undefined) this.rules.set(list, [visible]);
      else rules.push(visible);
    }
    this.turn.plan();
  }

  private flush(): void {
    for (const [list, rules] of this.rules) {
      if (!this.open.has(list)) this.subscriptions.tellWhoMayKnow(list, rules);
    }
    this.rules.clear();
    this.open.clear();
  }
}
