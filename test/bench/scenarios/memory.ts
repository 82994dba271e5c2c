import { driveRequests } from '../drive/requests.js';
import { cpuMicros } from '../measure/cpu.js';
import type { Measured } from '../measure/measured.js';
import { residentMb } from '../measure/resident.js';
import { median } from '../measure/statistics.js';
import { echoCall } from './call.js';
import { dacapo } from './programs.js';
import type { Bench, Scenario } from './scenario.js';

const PARTS = 4;
const SAMPLE_MS = 50;
const NAME = 'memory dacapo fastify dto';

/**
 * What a server holds after many calls, against what it held before the first. Between two collections
 * of garbage it rises and falls, so the middle of a quarter counts, and for a leak its lowest point.
 */
export const memory: Scenario = {
  name: 'memory',
  lines: [NAME],
  async run({ workbench, effort }: Bench): Promise<Measured[]> {
    const { connections, memoryCalls } = effort;
    const server = await workbench.start(...dacapo('fastify'));
    const start = residentMb(server.pid);
    const before = cpuMicros(server.pid);
    const quarters: number[][] = [];
    let seconds = 0;
    for (let part = 0; part < PARTS; part += 1) {
      const samples: number[] = [];
      const timer = setInterval(() => samples.push(residentMb(server.pid)), SAMPLE_MS);
      const amount = memoryCalls / PARTS;
      const driven = await driveRequests(server.url, echoCall('echo_dto'), { connections, amount });
      clearInterval(timer);
      samples.push(residentMb(server.pid));
      seconds += driven.seconds;
      quarters.push(samples);
    }
    const lowest = quarters.map((samples) => Math.min(...samples));
    const last = median(quarters[PARTS - 1] ?? []);
    return [
      {
        name: NAME,
        values: {
          cpuMicros: (cpuMicros(server.pid) - before) / memoryCalls,
          perSecond: memoryCalls / seconds,
          residentMb: last,
          megabytesGrown: last - start,
          megabytesGrownLate: (lowest[PARTS - 1] ?? NaN) - (lowest[1] ?? NaN),
        },
        held: [start, ...quarters.map(median)],
      },
    ];
  },
};
