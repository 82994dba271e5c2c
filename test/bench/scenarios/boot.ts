import { cpuMicros } from '../measure/cpu.js';
import type { Measured } from '../measure/measured.js';
import { residentMb } from '../measure/resident.js';
import { median } from '../measure/statistics.js';
import { dacapoLarge } from './programs.js';
import type { Bench, Scenario } from './scenario.js';

const TOOLS = 1_000;

const lineOf = (tools: number): string => `boot dacapo ${tools} tools`;

/** How long an application takes until it listens, without tools of its own and with many. */
export const boot: Scenario = {
  name: 'boot',
  lines: [1, TOOLS].map(lineOf),
  async run({ workbench, effort, wants }: Bench): Promise<Measured[]> {
    const measured: Measured[] = [];
    for (const tools of [1, TOOLS]) {
      if (!wants(lineOf(tools))) continue;
      const boots: Boot[] = [];
      for (let time = 0; time < effort.boots; time += 1) {
        const server = await workbench.start(...dacapoLarge('fastify', tools));
        boots.push({
          processMs: server.startedMs,
          processCpuMs: cpuMicros(server.pid) / 1e3,
          bootMs: server.announcement.boot?.wallMs ?? NaN,
          bootCpuMs: server.announcement.boot?.cpuMs ?? NaN,
          residentMb: residentMb(server.pid),
        });
        await workbench.stopAll();
      }
      const middle = (name: keyof Boot): number => median(boots.map((one) => one[name]));
      measured.push({
        name: lineOf(tools),
        values: {
          processMs: middle('processMs'),
          processCpuMs: middle('processCpuMs'),
          bootMs: middle('bootMs'),
          bootCpuMs: middle('bootCpuMs'),
          residentMb: middle('residentMb'),
        },
      });
    }
    return measured;
  },
};

interface Boot {
  readonly processMs: number;
  readonly processCpuMs: number;
  readonly bootMs: number;
  readonly bootCpuMs: number;
  readonly residentMb: number;
}
