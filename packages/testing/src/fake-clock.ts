/**
 * A clock that stands still until it is told to go on. Give it to the application in place of its own:
 * `Test.createTestingModule(…).overrideProvider(MCP_CLOCK).useValue(clock.now)`.
 */
export class FakeClock {
  /** @param nowMs epoch milliseconds */
  constructor(private nowMs: number = Date.UTC(2026, 0, 1)) {}

  /** Epoch milliseconds. */
  readonly now = (): number => this.nowMs;

  /** @param ms milliseconds; clocks of other machines may be behind, so fewer than none are allowed */
  advance(ms: number): void {
    this.nowMs += ms;
  }
}
