import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface BenchOptions {
  /** What the budgets are about, in short passes: less exact, within a minute. */
  readonly quick: boolean;
  /** Fail when a budget is missed by more than its double. */
  readonly check: boolean;
  /** Parts of the names of what is to be measured; empty for all. */
  readonly only: readonly string[];
  /** Where the JSON goes. */
  readonly json: string | undefined;
  /** Write CPU profiles of the servers. */
  readonly profile: boolean;
}

/** @throws TypeError for an option that does not exist */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  });
  return { ...values, json: values.json };
}

/** Whether a name has all parts of a wish, which are divided by spaces. */
export function isWished(only: readonly string[], name: string): boolean {
  return only.some((wish) => wish.split(/\s+/).every((part) => name.includes(part)));
}
