import { awake } from '../drive/awake.js';
import type { Driven } from '../drive/driven.js';
import type { RunningServer } from '../process/running-server.js';
import { cpuMicros } from './cpu.js';
import type { Measured, Values } from './measured.js';
import { residentMb } from './resident.js';
import { median } from './statistics.js';

/** Something that loads a server. */
export interface Subject {
  readonly name: string;
  readonly server: RunningServer;
  /** Sends so many requests, or plays so many conversations, and waits for all of them. */
  readonly drive: (amount: number) => Promise<Driven>;
}

export interface Passes {
  readonly passes: number;
  readonly warmUpRequests: number;
  readonly warmUpSeconds: number;
  readonly passSeconds: number;
  readonly connections: number;
}

interface Pass extends Driven {
  readonly cpuMicros: number;
  readonly busyPercent: number;
}

/**
 * Measures subjects in turn, pass after pass: what slows the machine for a while slows all of them, and
 * their ratios stay. A pass is a number of requests, and waits for all of their answers: nothing is
 * worked on that is not counted.
 */
export async function measureInTurn(
  subjects: readonly Subject[],
  effort: Passes,
): Promise<Measured[]> {
  const { passes, passSeconds, connections } = effort;
  const all: { subject: Subject; amount: number; done: Pass[] }[] = [];
  const warm = new Set<RunningServer>();
  for (const subject of subjects) {
    // Most of what they run is the same.
    const part = warm.has(subject.server) ? 0.5 : 1;
    warm.add(subject.server);
    const rate = await warmUp(subject, effort, part);
    const amount = Math.max(connections, Math.ceil(rate * passSeconds));
    all.push({ subject, amount, done: [] });
  }
  for (let pass = 0; pass < passes; pass += 1) {
    for (const { subject, amount, done } of all) done.push(await measureOnce(subject, amount));
  }
  return all.map(({ subject: { name, server }, done }) => ({
    name,
    values: {
      ...cpuOf(done),
      perSecond: median(done.map(({ count, seconds }) => count / seconds)),
      p50Ms: median(done.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(done.map(({ p99Ms }) => p99Ms)),
      residentMb: residentMb(server.pid),
      busyPercent: median(done.map(({ busyPercent }) => busyPercent)),
    },
  }));
}

/** Loads a server more and more until it is warm; gives what it does in a second. */
async function warmUp(
  { drive }: Subject,
  { connections, warmUpRequests, warmUpSeconds }: Passes,
  part: number,
): Promise<number> {
  let requests = warmUpRequests * part;
  let seconds = warmUpSeconds * part;
  let best = 0;
  let amount = connections;
  for (;;) {
    const driven = await drive(amount);
    const rate = driven.count / driven.seconds;
    best = Math.max(best, rate);
    requests -= driven.count;
    seconds -= driven.seconds;
    if (requests <= 0 || seconds <= 0) return best;
    amount = Math.max(connections, Math.ceil(Math.min(amount * 2, requests, rate * seconds)));
  }
}

/** Whatever else the machine does only adds to the CPU of a pass: the least is the truest. */
function cpuOf(done: readonly Pass[]): Pick<Values, 'cpuMicros' | 'noisePercent'> {
  const all = done.map((pass) => pass.cpuMicros);
  const least = Math.min(...all);
  return { cpuMicros: least, noisePercent: (median(all) / least - 1) * 100 };
}

async function measureOnce({ server, drive }: Subject, amount: number): Promise<Pass> {
  const before = cpuMicros(server.pid);
  const driven = await awake(() => drive(amount));
  const used = cpuMicros(server.pid) - before;
  return {
    ...driven,
    cpuMicros: used / driven.count,
    busyPercent: (used / 1e6 / driven.seconds) * 100,
  };
}
