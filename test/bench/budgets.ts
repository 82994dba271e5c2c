import type { ValueName } from './measure/measured.js';

/** Reads a measured value; NaN when it was not measured. */
export type Read = (line: string, value?: ValueName) => number;

export interface Budget {
  readonly name: string;
  /** What is held against the bound. */
  readonly measure: (read: Read) => number;
  readonly atMost: number;
  readonly unit: '×' | 'µs' | 'ms' | 'MB';
}

/** How much of a budget the check allows: a shared machine is noisy, a gross regression is not. */
export const CHECK_FACTOR = 2;

/** The lines of the table that budgets are about. */
export function linesOf(budgets: readonly Budget[]): Set<string> {
  const lines = new Set<string>();
  for (const { measure } of budgets) {
    measure((line) => {
      lines.add(line);
      return NaN;
    });
  }
  return lines;
}

/** CPU of one line by that of another. */
function ratio(line: string, other: string): Budget['measure'] {
  return (read) => read(line) / read(other);
}

/**
 * What one of ten enhancers costs above what Nest takes for it. It may be what a run can tell: Nest's
 * own price of a guard is too little to divide by.
 */
function price(enhancers: string): Budget['measure'] {
  const one = (read: Read, server: string): number =>
    (read(`pipeline ${server} ${enhancers}`) - read(`pipeline ${server} none`)) / 10;
  return (read) => one(read, 'dacapo') - one(read, 'nest');
}

const ECHO = 'call echo fastify';
const EXPRESS_ECHO = 'call echo express';
const SDK = 'call sdk zod';

export const BUDGETS: readonly Budget[] = [
  {
    name: 'call on Fastify, JSON Schema, by its echo',
    measure: ratio('call dacapo fastify json', ECHO),
    atMost: 1.5,
    unit: '×',
  },
  {
    name: 'call on Fastify, zod, by its echo',
    measure: ratio('call dacapo fastify zod', ECHO),
    atMost: 1.5,
    unit: '×',
  },
  {
    name: 'call on Fastify, DTO, by its echo',
    measure: ratio('call dacapo fastify dto', ECHO),
    atMost: 2,
    unit: '×',
  },
  {
    name: 'call on Fastify, zod, by the SDK',
    measure: ratio('call dacapo fastify zod', SDK),
    atMost: 1 / 8,
    unit: '×',
  },
  {
    name: 'call on Fastify, DTO, by the SDK',
    measure: ratio('call dacapo fastify dto', SDK),
    atMost: 1 / 8,
    unit: '×',
  },
  {
    name: 'call on Express, JSON Schema, by its echo',
    measure: ratio('call dacapo express json', EXPRESS_ECHO),
    atMost: 1.15,
    unit: '×',
  },
  {
    name: 'call on Express, DTO, by its echo',
    measure: ratio('call dacapo express dto', EXPRESS_ECHO),
    atMost: 1.15,
    unit: '×',
  },
  {
    name: 'a guard, above what Nest takes for it',
    measure: price('10 guards'),
    atMost: 1,
    unit: 'µs',
  },
  {
    name: 'an interceptor, above what Nest takes for it',
    measure: price('10 interceptors'),
    atMost: 1,
    unit: 'µs',
  },
  {
    name: 'list of 200 tools, by Fastify sending the bytes',
    measure: ratio('list dacapo fastify', 'list bytes fastify'),
    atMost: 1.5,
    unit: '×',
  },
  {
    name: 'conversation of two questions, by the SDK',
    measure: ratio('conversation dacapo fastify', 'conversation sdk'),
    atMost: 1 / 8,
    unit: '×',
  },
  {
    name: 'an answer in the ledger, of 16',
    measure: (read) => (read('rounds dacapo 16') - read('rounds dacapo 1')) / (16 - 1),
    atMost: 6,
    unit: 'µs',
  },
  {
    name: 'an answer in the ledger, of 64',
    measure: (read) => (read('rounds dacapo 64') - read('rounds dacapo 16')) / (64 - 16),
    atMost: 6,
    unit: 'µs',
  },
  {
    name: 'memory after all calls, above the start',
    measure: (read) => read('memory dacapo fastify dto', 'megabytesGrown'),
    atMost: 60,
    unit: 'MB',
  },
  {
    name: 'memory, rise of its floor from the second quarter to the last',
    measure: (read) => read('memory dacapo fastify dto', 'megabytesGrownLate'),
    atMost: 10,
    unit: 'MB',
  },
  {
    name: 'a change reaches 1,000 listeners',
    measure: (read) => read('listeners dacapo fastify', 'reachMs'),
    atMost: 50,
    unit: 'ms',
  },
  {
    name: 'boot with 1,000 tools, create() to listen(), of CPU',
    measure: (read) => read('boot dacapo 1000 tools', 'bootCpuMs'),
    atMost: 1_000,
    unit: 'ms',
  },
];
