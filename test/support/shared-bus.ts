import { type McpChange, McpChangeBus } from '@dacapo/mcp';

/** A bus that several instances share, as they would share a broker. */
export class SharedBus extends McpChangeBus {
  readonly published: McpChange[] = [];
  readonly listeners = new Set<(change: McpChange) => void>();

  override publish(change: McpChange): void {
    this.published.push(change);
    this.deliver(change);
  }

  /** Brings something to every instance, whoever has published it. */
  deliver(message: unknown): void {
    // Over a wire nothing but JSON arrives.
    const arrived = JSON.parse(JSON.stringify(message)) as McpChange;
    for (const listener of this.listeners) listener(arrived);
  }

  override subscribe(listener: (change: McpChange) => void): ReturnType<McpChangeBus['subscribe']> {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
