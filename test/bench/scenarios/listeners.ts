import { Listener } from '../drive/listener.js';
import { Poster } from '../drive/poster.js';
import { cpuMicros } from '../measure/cpu.js';
import type { Measured } from '../measure/measured.js';
import { residentMb } from '../measure/resident.js';
import { median } from '../measure/statistics.js';
import type { RunningServer } from '../process/running-server.js';
import type { Effort } from '../effort.js';
import { resultOf, toolCall, wireRequest } from '../wire.js';
import { dacapo, type Program, sdk } from './programs.js';
import type { Bench, Scenario } from './scenario.js';

/** Changes before those that count. */
const WARM_UP = 3;

const SERVERS: Readonly<Record<string, Program>> = {
  'listeners dacapo fastify': dacapo('fastify'),
  'listeners dacapo express': dacapo('express'),
  'listeners sdk': sdk('telling'),
};

/** A change reaches many open subscriptions. CPU is that of one change for all of them. */
export const listeners: Scenario = {
  name: 'listeners',
  lines: Object.keys(SERVERS),
  async run({ workbench, effort, wants }: Bench): Promise<Measured[]> {
    const measured: Measured[] = [];
    for (const [name, program] of Object.entries(SERVERS)) {
      if (!wants(name)) continue;
      const server = await workbench.start(...program);
      measured.push({ name, values: await measure(server, effort) });
      await workbench.stopAll();
    }
    return measured;
  },
};

async function measure(server: RunningServer, effort: Effort): Promise<Measured['values']> {
  const all = Array.from({ length: effort.listeners }, () => new Listener());
  const poster = new Poster(server.url, 1);
  try {
    const listen = wireRequest('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    for (const listener of all) {
      await listener.open(server.url, listen, 'notifications/subscriptions/acknowledged');
    }
    const times: number[] = [];
    const cpu: number[] = [];
    for (let change = 0; change < WARM_UP + effort.changes; change += 1) {
      const before = cpuMicros(server.pid);
      const begin = performance.now();
      const heard = all.map((listener) => listener.hear('notifications/tools/list_changed'));
      const told = poster.post(toolCall('change'));
      await Promise.all(heard);
      times.push(performance.now() - begin);
      resultOf(await told);
      cpu.push(cpuMicros(server.pid) - before);
    }
    return {
      cpuMicros: median(cpu.slice(WARM_UP)),
      reachMs: median(times.slice(WARM_UP)),
      residentMb: residentMb(server.pid),
    };
  } finally {
    poster.close();
    for (const listener of all) listener.close();
  }
}
