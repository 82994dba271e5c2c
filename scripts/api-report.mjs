/**
 * Writes down the public API of every published package, or holds it against what was written down.
 *
 *   node scripts/api-report.mjs [--check] [--root <folder>]
 *
 * The report, packages/<name>/api/<name>.api.md, is made of the built declarations (run the build
 * first): what the package exports, and what that refers to, sorted by name. What is marked
 * `@internal` is left out.
 *
 * 1. A report that differs fails the check, with the difference: what users rely on changes on purpose
 *    or not at all.
 * 2. An export without a docstring fails the check and the writing, each by its name.
 * 3. A report is the same on every machine.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

/** Lines of unchanged text around a difference. */
const CONTEXT_LINES = 3;
/** The first line of what is exported, or of what that refers to. */
const DECLARATION =
  /^(export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|let|function|enum|namespace) (\w+)/;

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  },
});

const complaints = [];
for (const folder of publishedPackages(options.root)) complaints.push(...(await treat(folder)));
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

/** The folders of the packages that others install. */
function publishedPackages(root) {
  const packages = join(root, 'packages');
  return readdirSync(packages)
    .sort()
    .map((name) => join(packages, name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .filter((folder) => manifestOf(folder).private !== true);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Writes or checks the report of one package; gives what is wrong with it. */
async function treat(folder) {
  const { name } = manifestOf(folder);
  const shortName = name.split('/').at(-1);
  const file = join(folder, 'api', `${shortName}.api.md`);
  const shown = relative(options.root, file);
  const { report, undocumented } = await reportOf(folder);
  const complaints = undocumented.map(
    (symbol) => `${symbol}, exported by ${name}, has no docstring: say what it is.`,
  );
  if (options.check) {
    const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (written !== report) {
      complaints.push(
        `The public API of ${name} is not what ${shown} says:\n\n${difference(written, report)}\n\n` +
          'If this is meant, run `npm run api` and commit the report. If it is not, users would have noticed.',
      );
    }
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, report);
    console.log(`Wrote ${shown}`);
  }
  return complaints;
}

/** The report of a package, and the exports that nobody has described. */
async function reportOf(folder) {
  const lines = withoutUnreachable(extract(folder)).split('\n');
  const values = new Set(
    Object.keys(await import(pathToFileURL(join(folder, 'dist/index.js')).href)),
  );
  const undocumented = [];
  const report = [];
  for (const [index, line] of lines.entries()) {
    // Of members, only the signature is promised.
    if (/^\s+\/\/ \(undocumented\)$/.test(line)) continue;
    if (!line.startsWith('// @public')) {
      report.push(line);
      continue;
    }
    const [, exported, symbol] = DECLARATION.exec(declarationAfter(lines, index)) ?? [];
    if (line.includes('(undocumented)') && exported) undocumented.push(symbol);
    report.push(
      line.replace(' (undocumented)', '') + typeOnly(declarationAfter(lines, index), values),
    );
  }
  return { report: report.join('\n'), undocumented };
}

/**
 * The extractor also tells of what only internal declarations refer to, and of what those import. Only
 * what can be reached from an export is promised.
 */
function withoutUnreachable(text) {
  const blocks = text.split(/\n\n(?=\S)/);
  const names = blocks.map((block) =>
    block
      .split('\n')
      .map((line) => DECLARATION.exec(line))
      .find(Boolean),
  );
  const reached = new Set();
  const queue = blocks.filter((_, index) => names[index]?.[1]);
  for (const block of queue) {
    for (const [index, name] of names.entries()) {
      if (!name || name[1] || reached.has(index) || !mentions(block, name[2])) continue;
      reached.add(index);
      queue.push(blocks[index]);
    }
  }
  return blocks
    .filter((_, index) => !names[index] || names[index][1] || reached.has(index))
    .map((block) => (block.startsWith('import ') ? usedImports(block, queue) : block))
    .join('\n\n');
}

function usedImports(block, blocks) {
  return block
    .split('\n')
    .filter((line) => {
      const [, name] = /^import (?:type )?\{ (?:\w+ as )?(\w+) \}/.exec(line) ?? [];
      return name === undefined || blocks.some((other) => mentions(other, name));
    })
    .join('\n');
}

function mentions(block, name) {
  return new RegExp(`\\b${name}\\b`).test(block);
}

/** The line that declares what the tags of another line speak of. */
function declarationAfter(lines, index) {
  return (
    lines.slice(index + 1).find((line) => !line.startsWith('//') && !line.startsWith('@')) ?? ''
  );
}

/** The extractor takes `export type` for `export`. */
function typeOnly(declaration, values) {
  const [, exported, symbol] = DECLARATION.exec(declaration) ?? [];
  const isValue = /\b(?:class|const|let|function|enum) /.test(declaration);
  return exported && isValue && !values.has(symbol) ? ' (type only)' : '';
}

/** Has the extractor read the declarations of a package. */
function extract(folder) {
  const reports = mkdtempSync(join(tmpdir(), 'dacapo-api-'));
  try {
    const config = ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: join(folder, 'package.json'),
      configObject: {
        projectFolder: folder,
        mainEntryPointFilePath: '<projectFolder>/dist/index.d.ts',
        compiler: { tsconfigFilePath: '<projectFolder>/tsconfig.json' },
        newlineKind: 'lf',
        apiReport: {
          enabled: true,
          reportFileName: 'report.api.md',
          reportVariants: ['public'],
          reportFolder: reports,
          reportTempFolder: join(reports, 'temp'),
          includeForgottenExports: true,
        },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: {
          compilerMessageReporting: { default: { logLevel: 'error' } },
          extractorMessageReporting: {
            default: { logLevel: 'none' },
          },
          tsdocMessageReporting: { default: { logLevel: 'none' } },
        },
      },
    });
    const errors = [];
    const { succeeded } = Extractor.invoke(config, {
      localBuild: true,
      messageCallback(message) {
        if (message.logLevel === 'error') errors.push(message.text);
        message.handled = true;
      },
    });
    if (!succeeded) throw new Error(`The declarations cannot be read.\n${errors.join('\n')}`);
    return readFileSync(join(reports, 'report.public.api.md'), 'utf8');
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

/** What changed from one text to another, line by line, with a little of what did not. */
function difference(before, after) {
  const changes = lineChanges(before.split('\n'), after.split('\n'));
  const near = (index) =>
    changes
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(([sign]) => sign !== ' ');
  const shown = [];
  for (const [index, [sign, line]] of changes.entries()) {
    if (near(index)) shown.push(`${sign} ${line}`);
    else if (shown.length > 0 && shown.at(-1) !== '…') shown.push('…');
  }
  return shown.join('\n');
}

/** Each line with `-`, `+` or a space, by the longest common subsequence. */
function lineChanges(before, after) {
  const lengths = Array.from(
    { length: before.length + 1 },
    () => new Uint32Array(after.length + 1),
  );
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i][j] =
        before[i] === after[j]
          ? lengths[i + 1][j + 1] + 1
          : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const changes = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      changes.push([' ', before[i]]);
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
      changes.push(['-', before[i]]);
      i += 1;
    } else {
      changes.push(['+', after[j]]);
      j += 1;
    }
  }
  return changes;
}
