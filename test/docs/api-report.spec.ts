import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/api-report.mjs', import.meta.url));

const DECLARATIONS = `/** What a sum is made of. */
export interface Terms {
    left: number;
    right: number;
}
interface Rounding {
    digits: number;
}
interface Secret {
    inner: true;
}
/** Adds. */
export declare class Adder {
    /** @internal */
    constructor(secret: Secret);
    add(terms: Terms, rounding?: Rounding): number;
}
/** What the adder does when nobody looks. @internal */
export declare function carry(secret: Secret): void;
export {};
`;

describe('The report of the public API', () => {
  let root: string;
  const file = (name: string): string => join(root, 'packages/sums', name);

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'api-report-spec-'));
    await mkdir(file('dist'), { recursive: true });
    await writeFile(
      file('package.json'),
      '{"name": "@test/sums", "version": "1.0.0", "type": "module"}',
    );
    await writeFile(
      file('tsconfig.json'),
      '{"compilerOptions": {"module": "NodeNext", "types": [], "strict": true}, "include": ["dist"]}',
    );
    await writeFile(file('dist/index.js'), 'export class Adder {}\nexport function carry() {}\n');
    await writeFile(file('dist/index.d.ts'), DECLARATIONS);
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Runs the script, and gives its status and what it complains of. */
  async function run(...args: string[]): Promise<{ status: number; complaints: string }> {
    const child = spawn(process.execPath, [script, '--root', root, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const [status] = (await once(child, 'close')) as [number];
    return { status, complaints };
  }

  async function change(from: string, to: string): Promise<void> {
    expect(DECLARATIONS).toContain(from);
    await writeFile(file('dist/index.d.ts'), DECLARATIONS.replace(from, to));
  }

  it('has what is exported and what that refers to, and nothing internal', async () => {
    expect(await run()).toEqual({ status: 0, complaints: '' });
    const report = await readFile(file('api/sums.api.md'), 'utf8');
    expect(report).toContain(
      'export class Adder {\n    add(terms: Terms, rounding?: Rounding): number;',
    );
    expect(report).toContain('interface Rounding {');
    expect(report).not.toMatch(/Secret|carry|constructor/);
    expect(report).not.toContain(root);
  });

  it('lets pass what users cannot see, and catches what they can, with the difference', async () => {
    await run();
    await change('inner: true', 'inner: false');
    expect(await run('--check')).toEqual({ status: 0, complaints: '' });

    await change('digits: number', 'places: number');
    const { status, complaints } = await run('--check');
    expect(status).toBe(1);
    expect(complaints).toContain('The public API of @test/sums is not what packages/sums/api');
    expect(complaints).toContain('-     digits: number;\n+     places: number;');
    expect(complaints).toContain('run `npm run api` and commit the report');
  });

  it('names what is exported without a docstring', async () => {
    await change('/** What a sum is made of. */\n', '');
    const complaint = 'Terms, exported by @test/sums, has no docstring: say what it is.\n';
    await run();
    expect(await run('--check')).toEqual({ status: 1, complaints: complaint });
  });
});
