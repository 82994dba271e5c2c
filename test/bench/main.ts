/**
 * Measures Dacapo beside what it is built on and what it is compared with.
 *
 *   npm run bench -- [--quick] [--check] [--only '<parts of a name>']… [--json <file>] [--profile]
 *
 * 1. Every server has a process and a core of its own; what is compared is CPU of the server, measured
 *    in the same run and in turn.
 * 2. Nothing is measured before its answer has been looked at.
 * 3. Whatever ends this process ends the servers.
 * 4. A check fails for what is far over its budget twice: noise comes and goes, a regression stays.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUDGETS, linesOf } from './budgets.js';
import { FULL, QUICK } from './effort.js';
import type { Measured } from './measure/measured.js';
import { type BenchOptions, isWished, readOptions } from './options.js';
import { pin } from './process/pinning.js';
import { installRivals } from './process/rivals.js';
import { Workbench } from './process/workbench.js';
import { judge, type Verdict } from './report/judge.js';
import { linesTable } from './report/lines.js';
import { type Machine, machine } from './report/machine.js';
import { verdictsTable } from './report/verdicts.js';
import { scenarios } from './scenarios/index.js';

/** Seen from the compiled program. */
const results = fileURLToPath(new URL('../results', import.meta.url));

for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.once(signal, () => process.exit(128 + number));
}

process.exit(await main(readOptions(process.argv.slice(2))));

async function main(options: BenchOptions): Promise<number> {
  const begin = performance.now();
  const effort = options.quick ? QUICK : FULL;
  const budgeted = linesOf(BUDGETS);
  const wants: Wants = (name) =>
    options.only.length > 0
      ? isWished(options.only, name)
      : effort.scope === 'all' || budgeted.has(name);
  const chosen = scenarios.filter(({ lines }) => lines.some(wants));
  if (chosen.length === 0) {
    console.error(`Nothing is named like ${options.only.join(' or ')}. There is:`);
    for (const { lines } of scenarios) console.error(lines.join('\n'));
    return 1;
  }
  if (chosen.some(({ lines }) => lines.some((line) => wants(line) && isRival(line)))) {
    installRivals();
  }

  const { prefix, sentence } = pin();
  const on = machine();
  console.log(`Node ${on.node}, ${on.cpu}; ${sentence}.${options.quick ? ' Quick.' : ''}`);

  const measure = async (wanted: Wants): Promise<Measured[]> => {
    const lines: Measured[] = [];
    for (const scenario of chosen.filter((candidate) => candidate.lines.some(wanted))) {
      const workbench = new Workbench(prefix, nodeOptions(options));
      try {
        console.error(`${scenario.name} …`);
        lines.push(...(await scenario.run({ effort, workbench, wants: wanted })));
      } finally {
        await workbench.stopAll();
      }
    }
    return lines;
  };

  const lines = await measure(wants);
  const verdicts = judge(BUDGETS, lines);
  console.log(`\n${linesTable(lines)}\n\n${verdictsTable(verdicts.filter(isMeasured))}\n`);
  console.log(`${Math.round((performance.now() - begin) / 1e3)} s`);
  write(options, { machine: on, quick: options.quick, pinning: sentence, lines, verdicts });

  if (!options.check) return 0;
  const missing = options.only.length === 0 ? verdicts.filter((one) => !isMeasured(one)) : [];
  const suspects = namesOf(verdicts.filter(isFarOver));
  if (suspects.size > 0) console.error(`Once more: ${[...suspects].join(', ')}`);
  const suspected = BUDGETS.filter(({ name }) => suspects.has(name));
  const again = linesOf(suspected);
  const confirmed = judge(suspected, await measure((line) => again.has(line))).filter(isFarOver);
  const bad = [...missing, ...confirmed];
  for (const { name, judgement } of bad) console.error(`${judgement}: ${name}`);
  return bad.length > 0 ? 1 : 0;
}

type Wants = (line: string) => boolean;

function isFarOver({ judgement }: Verdict): boolean {
  return judgement === 'far over';
}

function namesOf(verdicts: readonly Verdict[]): ReadonlySet<string> {
  return new Set(verdicts.map(({ name }) => name));
}

function isMeasured({ judgement }: Verdict): boolean {
  return judgement !== 'not measured';
}

/** Whether a line needs what the bench installs on demand. */
function isRival(line: string): boolean {
  return /\b(sdk|mcp-nest)\b/.test(line);
}

function nodeOptions({ profile }: BenchOptions): string[] {
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${join(results, 'profiles')}`] : [];
}

interface Report {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly pinning: string;
  readonly lines: readonly Measured[];
  readonly verdicts: readonly Verdict[];
}

function write({ json }: BenchOptions, report: Report): void {
  const file = json === undefined ? join(results, 'latest.json') : resolve(json);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`Written to ${file}`);
}
