/** What a server tells the bench once it listens. */
export interface Announcement {
  readonly url: string;
  /** What the framework took to start, in milliseconds. */
  readonly boot?: { readonly wallMs: number; readonly cpuMs: number };
}

/** Tells the bench where this server listens; it ends when the bench does. */
export function announce(announcement: Announcement): void {
  process.once('disconnect', () => process.exit());
  process.send?.(announcement);
}
