import type { Measured, ValueName } from '../measure/measured.js';
import { figure, table } from './table.js';

const COLUMNS: readonly (readonly [head: string, value: ValueName])[] = [
  ['CPU µs', 'cpuMicros'],
  ['noise %', 'noisePercent'],
  ['/s', 'perSecond'],
  ['p50 ms', 'p50Ms'],
  ['p99 ms', 'p99Ms'],
  ['MB', 'residentMb'],
  ['busy %', 'busyPercent'],
];

/** What only some scenarios have. */
const REMARKS: readonly (readonly [value: ValueName, say: (figure: string) => string])[] = [
  ['stateBytes', (bytes) => `${bytes} bytes of state`],
  ['reachMs', (ms) => `all have it after ${ms} ms`],
  ['megabytesGrown', (mb) => `${mb} MB above the start`],
  ['megabytesGrownLate', (mb) => `its floor ${mb} MB up from the second quarter to the last`],
  ['processMs', (ms) => `process ${ms} ms`],
  ['processCpuMs', (ms) => `of CPU ${ms} ms`],
  ['bootMs', (ms) => `create() to listen() ${ms} ms`],
  ['bootCpuMs', (ms) => `of CPU ${ms} ms`],
];

/** The table of a run. */
export function linesTable(lines: readonly Measured[]): string {
  return table(
    ['', ...COLUMNS.map(([head]) => head), ''],
    lines.map(({ name, values, held }) => [
      name,
      ...COLUMNS.map(([, value]) => figure(values[value])),
      [
        ...(held === undefined ? [] : [`${held.map(figure).join(' → ')} MB`]),
        ...REMARKS.flatMap(([value, say]) =>
          values[value] === undefined ? [] : [say(figure(values[value]))],
        ),
      ].join(', '),
    ]),
  );
}
