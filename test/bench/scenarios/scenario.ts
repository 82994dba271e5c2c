import type { Effort } from '../effort.js';
import type { Measured } from '../measure/measured.js';
import type { Workbench } from '../process/workbench.js';

export interface Bench {
  readonly effort: Effort;
  /** Its servers end with the scenario. */
  readonly workbench: Workbench;
  /** Whether a line of the table is to be measured. */
  readonly wants: (name: string) => boolean;
}

/** Measures some lines of the table. Their names begin with the scenario's. */
export interface Scenario {
  readonly name: string;
  /** Every line it may measure. */
  readonly lines: readonly string[];
  run(bench: Bench): Promise<Measured[]>;
}
