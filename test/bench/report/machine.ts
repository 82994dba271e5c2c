import { cpus } from 'node:os';

/** What a run was made on. */
export interface Machine {
  readonly node: string;
  readonly cores: number;
  readonly cpu: string;
}

export function machine(): Machine {
  const all = cpus();
  return {
    node: process.versions.node,
    cores: all.length,
    cpu: all[0]?.model.trim() ?? 'unknown',
  };
}
