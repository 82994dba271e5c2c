/**
 * Runs the pinned conformance suite against apps/conformance and holds the outcome against what this
 * release covers, one revision after the other; one endpoint serves them all.
 *
 *   npm run conformance -- [--revision 2026-07-28|2025-11-25] [--only <regex>]
 *                          [--adapter fastify|express] [--verbose]
 *
 * One line a scenario, then what failed, warned and is missing. Passes are never counted: the suite
 * grants some without an answer.
 *
 * 1. A scenario that is not clean fails the run, unless apps/conformance/not-covered.json gives a
 *    reason. One that is listed there and clean fails the run too: the list can only shrink.
 * 2. Whatever ends this process ends its children and removes its files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

/** The newest comes first: extensions are tried with it. */
const REVISIONS = ['2026-07-28', '2025-11-25'];
const START_LIMIT_MS = 30_000;
/** For all scenarios together; the suite bounds each by 30 seconds. */
const SUITE_LIMIT_MS = 600_000;
/** Added to every scenario: holds each answer against the schema, even when nothing else is checked. */
const WIRE_CHECK = 'wire-schema-valid';
/** How many lines of a program's output help to see why it failed. */
const LAST_LINES = 20;

const root = fileURLToPath(new URL('..', import.meta.url));
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance');

const { values: options } = parseArgs({
  options: {
    revision: { type: 'string' },
    only: { type: 'string', default: '' },
    adapter: { type: 'string', default: 'fastify' },
    verbose: { type: 'boolean', default: false },
  },
});
const wanted = new RegExp(options.only);
/** By revision and scenario. */
const notCovered = JSON.parse(
  readFileSync(join(root, 'apps/conformance/not-covered.json'), 'utf8'),
);

const children = new Set();
const results = mkdtempSync(join(tmpdir(), 'dacapo-conformance-'));
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(results, { recursive: true, force: true });
});
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
]) {
  process.once(signal, () => process.exit(128 + number));
}

process.exit(await main());

async function main() {
  const revisions = REVISIONS.filter((known) => [undefined, known].includes(options.revision));
  if (revisions.length === 0) {
    console.error(`There is no revision ${options.revision}: use ${REVISIONS.join(' or ')}.`);
    return 1;
  }
  const deadline = Date.now() + SUITE_LIMIT_MS;
  const scenarios = new Map();
  for (const revision of revisions) {
    const all = [...requirements(revision), ...(await unrequired(revision, deadline))];
    const chosen = all.filter(({ name }) => wanted.test(name));
    if (chosen.length > 0) scenarios.set(revision, chosen);
  }
  if (scenarios.size === 0) {
    console.error(`No scenario is named like ${wanted}.`);
    return 1;
  }
  const server = run([join(root, 'apps/conformance/dist/main.js')], {
    env: { ...process.env, PORT: '0', ADAPTER: options.adapter, DACAPO_ANSWERS: 'lenient' },
  });
  const url = await addressOf(server);
  const complaints = [];
  for (const [revision, chosen] of scenarios) {
    complaints.push(...(await runRevision(revision, url, chosen, deadline)));
  }
  if (server.child.exitCode !== null || server.child.signalCode !== null) {
    complaints.push(`The server ended during the run.\n${server.lastLines()}`);
  }
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0 ? 0 : 1;
}

/** Runs and prints the scenarios of a revision; gives what there is to complain of. */
async function runRevision(revision, url, scenarios, deadline) {
  const folder = join(results, revision);
  mkdirSync(folder);
  const suiteOutput = await runSuite(revision, url, folder, scenarios, deadline);
  const reasons = notCovered[revision];
  const rows = scenarios.map((scenario) =>
    judge(scenario, checksOf(folder, scenario.name), reasons),
  );
  for (const row of rows) print(row);
  for (const covered of [true, false]) {
    printTotals(
      `${revision} ${covered ? `on ${options.adapter}` : 'not covered yet'}`,
      rows.filter(({ reason }) => (reason === undefined) === covered),
    );
  }
  if (rows.some(({ mark }) => mark === 'MISSING')) console.error(suiteOutput);
  return [...rows.flatMap(complaintOf), ...unknownNames(rows, reasons)].map(
    (complaint) => `${revision}: ${complaint}`,
  );
}

/** Every server scenario of a revision, and how it counts. */
function requirements(revision) {
  const file = join(suite, `requirements/${revision}.yaml`);
  const { server, not_scored: others } = parse(readFileSync(file, 'utf8'));
  return [
    ...server.map((name) => ({ name, kind: 'scored', required: true })),
    ...others
      .filter(({ leg }) => leg === 'server')
      .map(({ scenario, reason }) => ({ name: scenario, kind: reason, required: true })),
  ];
}

/** The extension scenarios that no revision names: `list` knows them, `--requirements` does not. */
async function unrequired(revision, deadline) {
  if (revision !== REVISIONS[0]) return [];
  const listed = await runSuiteProgram(['list', '--server'], deadline);
  const known = new Set(requirements(revision).map(({ name }) => name));
  return [...listed.matchAll(/^ {2}- (\S+) \[extension\]/gm)]
    .map(([, name]) => ({ name, kind: 'extension', required: false }))
    .filter(({ name }) => !known.has(name));
}

/** Runs all scenarios of a revision; gives the end of what the suite had to say. */
async function runSuite(revision, url, folder, scenarios, deadline) {
  const all = options.only === '';
  const runs = [
    ...(all ? [['--requirements', revision]] : []),
    ...scenarios
      .filter(({ required }) => !(all && required))
      .map(({ name }) => ['--scenario', name, '--spec-version', revision, '--force']),
  ];
  let output = '';
  for (const args of runs) {
    output += await runSuiteProgram(['server', '--url', url, '-o', folder, ...args], deadline);
  }
  return lastLines(output);
}

/** Runs the suite's program to its end, or to the deadline, and gives its output. */
async function runSuiteProgram(args, deadline) {
  const shim = pathToFileURL(join(root, 'scripts/globsync-shim.mjs')).href;
  const program = run(['--import', shim, join(suite, 'dist/index.js'), ...args], {
    timeout: Math.max(1, deadline - Date.now()),
    killSignal: 'SIGKILL',
  });
  await once(program.child, 'close');
  return program.output();
}

/** The address that the server prints once it listens. */
async function addressOf(server) {
  const limit = Date.now() + START_LIMIT_MS;
  while (server.child.exitCode === null && Date.now() < limit) {
    const [url] = /http:\/\/\S+\/mcp/.exec(server.output()) ?? [];
    if (url !== undefined) return url;
    await Promise.race([once(server.child.stdout, 'data'), once(server.child, 'exit'), pause(500)]);
  }
  throw new Error(`The conformance server did not start.\n${server.lastLines()}`);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Starts a Node program that ends with this one; its output is kept. */
function run(args, spawnOptions) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...spawnOptions,
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  }
  return { child, output: () => text, lastLines: () => lastLines(text) };
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}

/** The checks of one scenario; `undefined` when the suite never reported it. */
function checksOf(folder, name) {
  const own = readdirSync(folder).find(
    (entry) => entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '') === name,
  );
  const file = own === undefined ? '' : join(folder, own, 'checks.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function judge({ name, kind }, checks, reasons) {
  const of = (status) => checks?.filter((check) => check.status === status) ?? [];
  const failed = of('FAILURE');
  const warned = of('WARNING');
  const mark =
    checks === undefined
      ? 'MISSING'
      : failed.length > 0
        ? 'FAIL'
        : warned.length > 0
          ? 'WARN'
          : of('SUCCESS').some(({ id }) => id !== WIRE_CHECK)
            ? 'ok'
            : 'skip';
  const reason = reasons[patternFor(name, reasons)];
  return { name, kind, mark, reason, failed, warned, skipped: of('SKIPPED') };
}

/** The entry of the list that speaks of a scenario: its name, or a beginning and `*`. */
function patternFor(name, reasons) {
  return Object.hasOwn(reasons, name)
    ? name
    : Object.keys(reasons).find(
        (pattern) => pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)),
      );
}

function print({ name, kind, mark, reason, failed, warned, skipped }) {
  const bad = [...failed, ...warned];
  const ids = [...new Set(bad.map(({ id }) => id))];
  console.log(
    `${mark.padEnd(8)}${kind.padEnd(20)}${name.padEnd(46)}` +
      `failed ${failed.length}, warned ${warned.length}` +
      (skipped.length > 0 ? `, skipped ${skipped.length}` : '') +
      (ids.length > 0 ? `  [${ids.join(' ')}]` : '') +
      (reason === undefined ? '' : `  not covered yet: ${reason}`),
  );
  if (!options.verbose) return;
  for (const { id, status, errorMessage } of reason === undefined ? [...bad, ...skipped] : bad) {
    console.log(`        ${status} ${id}: ${errorMessage ?? ''}`);
  }
}

function printTotals(title, rows) {
  const sum = (count) => rows.reduce((total, row) => total + count(row), 0);
  console.log(
    `--- ${title}: ${rows.length} scenarios, failed ${sum(({ failed }) => failed.length)}, ` +
      `warned ${sum(({ warned }) => warned.length)}, missing ${sum(({ mark }) => Number(mark === 'MISSING'))}`,
  );
}

/** What the outcome of a scenario says against the list, if anything. */
function complaintOf({ name, mark, reason }) {
  const listed = reason !== undefined;
  if (listed) return mark === 'ok' ? [`${name} is clean: remove it from not-covered.json.`] : [];
  switch (mark) {
    case 'ok':
      return [];
    case 'skip':
      return [`${name} checked nothing: say why in not-covered.json.`];
    case 'MISSING':
      return [`${name} is missing: the suite did not report it.`];
    default:
      return [`${name} is not clean.`];
  }
}

/** Entries of the list that speak of no scenario, which would hide nothing but a mistake. */
function unknownNames(rows, reasons) {
  if (options.only !== '') return [];
  const used = new Set(rows.map(({ name }) => patternFor(name, reasons)));
  return Object.keys(reasons)
    .filter((pattern) => !used.has(pattern))
    .map((pattern) => `${pattern} in not-covered.json names no scenario.`);
}
