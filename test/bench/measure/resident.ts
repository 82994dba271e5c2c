import { readFileSync } from 'node:fs';

/** The resident memory of a process, in megabytes. */
export function residentMb(pid: number): number {
  return parseResidentMb(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** `VmRSS` of /proc/<pid>/status, in megabytes. */
export function parseResidentMb(status: string): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error('There is no VmRSS in /proc/<pid>/status.');
  return Number(kilobytes) / 1024;
}
