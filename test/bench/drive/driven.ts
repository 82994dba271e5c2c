/** What a server was made to do. */
export interface Driven {
  /** Answered requests, or finished conversations. */
  readonly count: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
