import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Which core the servers run on, and which the driver. */
export interface Pinning {
  /** What a server's command line begins with; empty where nothing can be pinned. */
  readonly prefix: readonly string[];
  /** For the head of the report. */
  readonly sentence: string;
}

/** Gives the servers one core, and this process the others. */
export function pin(): Pinning {
  const cores = allowedCores();
  const last = cores.at(-1);
  if (last === undefined) {
    return { prefix: [], sentence: 'NOT PINNED: there is no taskset, so ratios are less stable' };
  }
  const others = cores.slice(0, -1);
  if (others.length > 0) {
    spawnSync('taskset', ['-acp', others.join(','), String(process.pid)], { stdio: 'ignore' });
  }
  return {
    prefix: ['taskset', '-c', String(last)],
    sentence:
      others.length > 0
        ? `servers on core ${last}, the driver on ${others.join(', ')} of ${cpus().length} cores`
        : 'ONE CORE: servers and driver share it',
  };
}

function allowedCores(): number[] {
  const { status, stdout } = spawnSync('taskset', ['-cp', String(process.pid)], {
    encoding: 'utf8',
  });
  return status === 0 ? parseCores(stdout) : [];
}

/** The cores that taskset lists: `pid 7's current affinity list: 0-2,5`. */
export function parseCores(text: string): number[] {
  return text
    .slice(text.lastIndexOf(':') + 1)
    .split(',')
    .flatMap((part) => {
      const [first = NaN, last = first] = part.trim().split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
