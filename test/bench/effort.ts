/** How much is measured, and how long. */
export interface Effort {
  /** Everything, or only what a budget is about. */
  readonly scope: 'all' | 'budgets';
  /** How often each server is measured, in turn with the others. */
  readonly passes: number;
  /** A server is warm after so many requests, or seconds. */
  readonly warmUpRequests: number;
  readonly warmUpSeconds: number;
  readonly passSeconds: number;
  readonly connections: number;
  /** Calls of the memory scenario. */
  readonly memoryCalls: number;
  readonly listeners: number;
  /** How many changes reach the listeners, one after the other. */
  readonly changes: number;
  /** How often an application boots. */
  readonly boots: number;
}

export const FULL: Effort = {
  scope: 'all',
  passes: 5,
  warmUpRequests: 20_000,
  warmUpSeconds: 4,
  passSeconds: 1,
  connections: 32,
  memoryCalls: 200_000,
  listeners: 1_000,
  changes: 20,
  boots: 5,
};

export const QUICK: Effort = {
  ...FULL,
  scope: 'budgets',
  passes: 3,
  warmUpRequests: 3_500,
  warmUpSeconds: 1.6,
  passSeconds: 0.1,
  memoryCalls: 2_000,
  changes: 5,
  boots: 1,
};
