import { type Budget, CHECK_FACTOR, type Read } from '../budgets.js';
import type { Measured } from '../measure/measured.js';

export type Judgement = 'ok' | 'over' | 'far over' | 'not measured';

/** A budget, and what a run says of it. */
export interface Verdict {
  readonly name: string;
  readonly measured: number;
  readonly atMost: number;
  readonly unit: Budget['unit'];
  readonly judgement: Judgement;
}

/** Holds what was measured against the budgets. */
export function judge(budgets: readonly Budget[], lines: readonly Measured[]): Verdict[] {
  const byName = new Map(lines.map(({ name, values }) => [name, values]));
  const read: Read = (line, value = 'cpuMicros') => byName.get(line)?.[value] ?? NaN;
  return budgets.map(({ name, measure, atMost, unit }) => {
    const measured = measure(read);
    return { name, measured, atMost, unit, judgement: judgementOf(measured, atMost) };
  });
}

function judgementOf(measured: number, atMost: number): Judgement {
  if (Number.isNaN(measured)) return 'not measured';
  if (measured <= atMost) return 'ok';
  return measured <= atMost * CHECK_FACTOR ? 'over' : 'far over';
}
