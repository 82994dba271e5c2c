import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Where proc(5) has user and system time, counted from the state that follows the name. */
const UTIME = 11;
const STIME = 12;

let ticks: number | undefined;

/** The CPU time a process has used, all threads, user and system, in microseconds. */
export function cpuMicros(pid: number): number {
  return existsSync(`/proc/${pid}/schedstat`) ? exactMicros(pid) : roundedMicros(pid);
}

/** To the nanosecond. Threads that have ended are missing; those of a server stay. */
function exactMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (sum, thread) =>
      sum + parseSchedstatMicros(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')),
    0,
  );
}

/** To a tick of the clock, which is ten milliseconds and long for a short pass. */
function roundedMicros(pid: number): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return (parseCpuTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')) / ticks) * 1e6;
}

/** The time on a core of /proc/<pid>/task/<tid>/schedstat, in microseconds. */
export function parseSchedstatMicros(schedstat: string): number {
  const [onCore] = schedstat.split(' ');
  return Number(onCore) / 1e3;
}

/** The clock ticks of /proc/<pid>/stat. The name of the program may hold spaces and parentheses. */
export function parseCpuTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = Number(fields[UTIME]) + Number(fields[STIME]);
  if (!Number.isFinite(sum)) throw new Error(`Not a line of /proc/<pid>/stat: ${stat}`);
  return sum;
}
