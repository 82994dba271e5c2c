import { driveRequests } from '../drive/requests.js';
import { cpuMicros } from '../measure/cpu.js';
import type { Measured } from '../measure/measured.js';
import { residentMb } from '../measure/resident.js';
import { echoCall } from './call.js';
import { dacapo } from './programs.js';
import type { Bench, Scenario } from './scenario.js';

const PARTS = 4;
const NAME = 'memory dacapo fastify dto';

/** What a server holds after many calls, against what it held before the first. */
export const memory: Scenario = {
  name: 'memory',
  lines: [NAME],
  async run({ workbench, effort }: Bench): Promise<Measured[]> {
    const { connections, memoryCalls } = effort;
    const server = await workbench.start(...dacapo('fastify'));
    const before = cpuMicros(server.pid);
    const held = [residentMb(server.pid)];
    let seconds = 0;
    for (let part = 0; part < PARTS; part += 1) {
      const amount = memoryCalls / PARTS;
      const driven = await driveRequests(server.url, echoCall('echo_dto'), { connections, amount });
      seconds += driven.seconds;
      held.push(residentMb(server.pid));
    }
    const [start = NaN] = held;
    const middle = held[PARTS / 2] ?? NaN;
    const end = held[PARTS] ?? NaN;
    return [
      {
        name: NAME,
        values: {
          cpuMicros: (cpuMicros(server.pid) - before) / memoryCalls,
          perSecond: memoryCalls / seconds,
          residentMb: end,
          megabytesGrown: end - start,
          megabytesGrownLate: end - middle,
        },
        held,
      },
    ];
  },
};
