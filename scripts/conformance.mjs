/**
 * Runs the pinned conformance suite against apps/conformance and holds the outcome against what this
 * release covers.
 *
 *   npm run conformance -- [--only <regex>] [--adapter fastify|express] [--verbose]
 *
 * One line a scenario, then failed, warned and missing checks. A scenario that is not clean fails the
 * run unless apps/conformance/not-covered.json gives a reason; one that is clean although it is
 * listed there fails the run too, so that the list can only shrink.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

const REVISION = '2026-07-28';
/** The suite bounds each scenario by 30 seconds; this bounds all of them. */
const TIME_LIMIT_MS = 600_000;
const START_LIMIT_MS = 30_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance');
const suiteProgram = [
  '--import',
  pathToFileURL(join(root, 'scripts/globsync-shim.mjs')).href,
  join(suite, 'dist/index.js'),
];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    adapter: { type: 'string', default: 'fastify' },
    verbose: { type: 'boolean', default: false },
  },
});

const wanted = new RegExp(options.only);
const notCovered = JSON.parse(
  readFileSync(join(root, 'apps/conformance/not-covered.json'), 'utf8'),
);

process.exitCode = await main();

async function main() {
  const scenarios = requirements().filter(({ name }) => wanted.test(name));
  const results = mkdtempSync(join(tmpdir(), 'dacapo-conformance-'));
  const port = await freePort();
  const server = spawn(process.execPath, [join(root, 'apps/conformance/dist/main.js')], {
    env: { ...process.env, PORT: String(port), ADAPTER: options.adapter },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await started(server);
    await runSuite(`http://127.0.0.1:${port}/mcp`, results, scenarios);
    return report(scenarios.map((scenario) => ({ ...scenario, ...read(results, scenario.name) })));
  } finally {
    server.kill();
    rmSync(results, { recursive: true, force: true });
  }
}

/** Every server scenario of the revision and how it counts. */
function requirements() {
  const file = join(suite, `requirements/${REVISION}.yaml`);
  const { server, not_scored: others } = parse(readFileSync(file, 'utf8'));
  return [
    ...server.map((name) => ({ name, kind: 'scored' })),
    ...others
      .filter(({ leg }) => leg === 'server')
      .map(({ scenario, reason }) => ({ name: scenario, kind: reason })),
  ];
}

async function runSuite(url, results, scenarios) {
  const run = async (args) => {
    const child = spawn(
      process.execPath,
      [...suiteProgram, 'server', '--url', url, '-o', results, ...args],
      { stdio: 'ignore', timeout: TIME_LIMIT_MS },
    );
    await once(child, 'exit');
  };
  if (options.only === '') {
    await run(['--requirements', REVISION]);
    return;
  }
  for (const { name } of scenarios) {
    await run(['--scenario', name, '--spec-version', REVISION, '--force']);
  }
}

/** The checks of one scenario; `undefined` when the suite never reported it. */
function read(results, name) {
  const folder = readdirSync(results).find(
    (entry) => entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '') === name,
  );
  const file = folder === undefined ? '' : join(results, folder, 'checks.json');
  if (!existsSync(file)) return { checks: undefined };
  return { checks: JSON.parse(readFileSync(file, 'utf8')) };
}

function report(rows) {
  const totals = { failed: 0, warned: 0, missing: 0 };
  const complaints = [];
  for (const { name, kind, checks } of rows) {
    const of = (status) => checks?.filter((check) => check.status === status) ?? [];
    const failed = of('FAILURE');
    const warned = of('WARNING');
    const missing = checks === undefined;
    const clean = failed.length + warned.length === 0 && !missing && of('SUCCESS').length > 0;
    const skipped = failed.length + warned.length === 0 && !missing && of('SUCCESS').length === 0;
    const reason = reasonFor(name);
    const mark = clean ? 'ok' : skipped ? 'skip' : reason === undefined ? 'FAIL' : 'later';
    const ids = [...new Set([...failed, ...warned].map(({ id }) => id))];
    console.log(
      `${mark.padEnd(6)}${kind.padEnd(10)}${name.padEnd(46)}` +
        `failed ${failed.length}, warned ${warned.length}${missing ? ', MISSING' : ''}` +
        (ids.length > 0 ? `  [${ids.join(' ')}]` : '') +
        (reason === undefined ? '' : `  not covered yet: ${reason}`),
    );
    if (options.verbose) {
      for (const { id, status, errorMessage } of [...failed, ...warned]) {
        console.log(`        ${status} ${id}: ${errorMessage ?? ''}`);
      }
    }
    if (mark === 'FAIL') complaints.push(`${name} is not clean`);
    if (clean && reason !== undefined) {
      complaints.push(`${name} is clean: remove it from not-covered.json`);
    }
    totals.failed += failed.length;
    totals.warned += warned.length;
    totals.missing += missing ? 1 : 0;
  }
  console.log(
    `--- ${REVISION} on ${options.adapter}: failed ${totals.failed}, warned ${totals.warned}, missing ${totals.missing}`,
  );
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0 && rows.length > 0 ? 0 : 1;
}

/** Names may end in `*`. */
function reasonFor(name) {
  const entry = Object.entries(notCovered).find(([pattern]) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
  return entry?.[1];
}

/** Waits until the server says that it listens. */
async function started(server) {
  const timer = setTimeout(() => server.kill(), START_LIMIT_MS);
  for await (const chunk of server.stdout) {
    if (String(chunk).includes('Conformance server at')) {
      clearTimeout(timer);
      server.stdout.resume();
      return;
    }
  }
  throw new Error('The conformance server did not start.');
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
