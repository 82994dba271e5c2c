/** What can be measured, each in its unit. */
export interface Values {
  /** CPU of the server for one request, or one conversation, in µs. */
  readonly cpuMicros?: number;
  /** How far the median of the passes is above that. */
  readonly noisePercent?: number;
  readonly perSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly residentMb?: number;
  /** How much of its core the server used: below 100, something else set the pace. */
  readonly busyPercent?: number;
  /** Of the last request of a conversation. */
  readonly stateBytes?: number;
  /** From a change until all listeners have it. */
  readonly reachMs?: number;
  readonly megabytesGrown?: number;
  /** From the lowest point of the second quarter of the calls to that of the last. */
  readonly megabytesGrownLate?: number;
  /** From the start of the process until it listens. */
  readonly processMs?: number;
  readonly processCpuMs?: number;
  /** Of it, what the framework takes: from `NestFactory.create()` until it listens. */
  readonly bootMs?: number;
  readonly bootCpuMs?: number;
}

export type ValueName = keyof Values;

/** One line of the table. */
export interface Measured {
  readonly name: string;
  readonly values: Values;
  /** Resident memory at the start and in the middle of each quarter of the calls, in megabytes. */
  readonly held?: readonly number[];
}
