/**
 * One thing that a contract demands: its name, and what rejects when it is not kept. In Jest or Vitest,
 * `it.each(cases)('%s', (_name, run) => run())`.
 */
export type ContractCase = readonly [name: string, run: () => Promise<void>];
