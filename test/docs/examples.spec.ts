import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type ClientOptions, connect } from '../support/official-client.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the registry shows: it must do without the rest of the repository. */
const PACKAGE_README = 'packages/mcp/README.md';
const CALLS = 'docs/guide/calling.md';
const FOLDER = `${root}node_modules/.cache/dacapo/examples`;

interface Example {
  readonly name: string;
  readonly code: string;
}

/** Every block of a language in a document. */
async function blocksOf(document: string, language: string): Promise<string[]> {
  const page = await readFile(root + document, 'utf8');
  return [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, of]) => of === language)
    .map(([, , block]) => block as string);
}

/** Every TypeScript block of a document. */
async function examplesOf(document: string): Promise<Example[]> {
  const blocks = await blocksOf(document, 'ts');
  return blocks.map((code, index) => ({ name: `${document}#${index + 1}`, code }));
}

async function documents(): Promise<string[]> {
  const pages = await readdir(`${root}docs`, { recursive: true });
  const packages = await readdir(`${root}packages`);
  return [
    'README.md',
    ...packages.map((name) => `packages/${name}/README.md`),
    ...pages.filter((page) => page.endsWith('.md')).map((page) => `docs/${page}`),
  ];
}

const base = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(base.config, ts.sys, root);

/** Type-checks examples as files of the repository's root; returns the complaints. */
function compile(
  examples: readonly Example[],
  stricter: ts.CompilerOptions = {},
  own = options,
): string[] {
  const files = new Map(
    examples.map(({ code }, index) => [`${root}example-${index + 1}.ts`, code]),
  );
  const host = ts.createCompilerHost(own);
  const { fileExists, readFile: read } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? read(path);
  const program = ts.createProgram(
    [...files.keys()],
    {
      ...own,
      noEmit: true,
      composite: false,
      declaration: false,
      declarationMap: false,
      ...stricter,
    },
    host,
  );
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const index = [...files.keys()].indexOf(file?.fileName ?? '');
    return `${examples[index]?.name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

describe('The examples of the documents', () => {
  it('compile, every one', async () => {
    const examples = (await Promise.all((await documents()).map(examplesOf))).flat();
    expect(examples.length).toBeGreaterThan(0);
    expect(compile(examples)).toEqual([]);
  });

  it('compile where undefined is not taken for absent, every one', async () => {
    const examples = (await Promise.all((await documents()).map(examplesOf))).flat();
    const fromEnvironment = {
      name: 'options from the environment',
      code: `import { McpModule } from '@dacapo/mcp';
const absent = undefined;
McpModule.forRoot({
  server: { name: 's', version: '1', instructions: absent },
  transports: absent, path: absent, maxResultBytes: absent, exposeErrors: absent,
  replay: { secret: absent, ttlMs: absent, maxAgeMs: absent, maxRounds: absent, answers: absent },
  http: { allowedHosts: absent, allowedOrigins: absent, maxBodyBytes: absent, keepAliveMs: absent },
  stdio: { graceMs: absent }, legacy: absent, sessions: { maxOpen: absent }, lists: { pageSize: absent }, subscriptions: absent,
});`,
    };
    examples.push(fromEnvironment);
    expect(compile(examples, { exactOptionalPropertyTypes: true })).toEqual([]);
  });

  it('of the guide boot, every one', async () => {
    const pages = (await documents()).filter((page) => page.startsWith('docs/guide/'));
    const examples = (await Promise.all(pages.map(examplesOf))).flat();
    const files = await Promise.all(
      examples.map(({ code, name }) => emit(`${name.replace(/[/#]/g, '-')}.mjs`, code)),
    );
    const child = spawn(process.execPath, [`${root}test/docs/boot-examples.mjs`, ...files]);
    expect(await text(child.stdout)).toBe('{}\n');
  });

  it('are really checked', () => {
    expect(
      compile([
        {
          name: 'wrong',
          code: `import { McpTool } from '@dacapo/mcp';\nMcpTool({ nmae: 'x' });\n`,
        },
      ]),
    ).toEqual([expect.stringMatching(/^wrong: .*'nmae' does not exist/s)]);
  });

  it('compile as the recipe says, with no more than it installs', async () => {
    const examples = [await examplesOf('README.md'), await examplesOf(PACKAGE_README)].flat();
    const [commands = '', ...others] = await recipes('sh');
    const [config = '', ...otherConfigs] = await recipes('json');
    expect([others, otherConfigs]).toEqual([[commands], [config]]);

    const { rootDir, outDir, ...recipe } = (
      JSON.parse(config) as { compilerOptions: Record<string, unknown> }
    ).compilerOptions;
    expect([rootDir, outDir]).toEqual(['src', 'dist']);
    const { options: own } = ts.convertCompilerOptionsFromJson(recipe, root);
    expect(compile(examples, {}, own)).toEqual([]);

    const installed = commands.split(/\s+/);
    const imported = examples.flatMap(({ code }) =>
      [...code.matchAll(/from '([^']+)'/g)].map(([, name]) => name),
    );
    const { peerDependencies } = JSON.parse(
      await readFile(`${root}packages/mcp/package.json`, 'utf8'),
    ) as { peerDependencies: Record<string, string> };
    // The adapter that NestFactory.create() takes when it is given none.
    const wanted = [...imported, ...Object.keys(peerDependencies), '@nestjs/platform-express'];
    expect(wanted.filter((name) => !installed.includes(name as string))).toEqual([]);
  });

  it('of the package lead nowhere out of it', async () => {
    const page = await readFile(root + PACKAGE_README, 'utf8');
    const links = [...page.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link);
    expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([]);
  });

  it('of the README are about thirty lines, and run; so do the calls of the guide', async () => {
    const [example] = await examplesOf('README.md');
    const code = example?.code ?? '';
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(38);

    const file = await emit('readme.mjs', code);
    const port = await freePort();
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    try {
      const client = await connectOnceUp(`http://127.0.0.1:${port}/mcp`, {
        answer: (message) =>
          message.startsWith('A table for 2')
            ? { action: 'accept', content: { day: '2026-12-24' } }
            : { action: 'accept', content: { yes: true } },
      });
      const { content } = await client.callTool({ name: 'book', arguments: { guests: 2 } });
      expect(content).toEqual([{ type: 'text', text: 'Booked dinner on 2026-12-24.' }]);
      await client.close();

      const [command = ''] = await blocksOf(CALLS, 'sh');
      expect(await (await run(command, port)).json()).toMatchObject({
        result: {
          resultType: 'input_required',
          inputRequests: { 'elicit-1': { params: { message: 'A table for 2: when?' } } },
        },
      });
      const [program = ''] = await blocksOf(CALLS, 'js');
      await writeFile(`${FOLDER}/client.mjs`, program.replace(':3000', `:${port}`));
      const caller = spawn(process.execPath, [`${FOLDER}/client.mjs`]);
      expect(await text(caller.stdout)).toContain('Booked dinner on 2026-12-24.');
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });
});

/** The blocks that say how to set up an application, wherever they stand. */
async function recipes(language: string): Promise<(string | undefined)[]> {
  const pages = ['docs/guide/start.md', PACKAGE_README];
  return Promise.all(pages.map(async (page) => (await blocksOf(page, language))[0]));
}

/** Sends what a command of curl would. */
async function run(command: string, port: number): Promise<Response> {
  const [, url = ''] = /^curl -N (\S+) /.exec(command) ?? [];
  const [, body = ''] = /-d '([^']*)'/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)];
  return fetch(url.replace(':3000', `:${port}`), {
    method: 'POST',
    headers: headers.map(([, name, value]): [string, string] => [name as string, value as string]),
    body,
  });
}

/** Writes an example where Node can run it; resolves with the path. */
async function emit(file: string, code: string): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { ...options, sourceMap: false, module: ts.ModuleKind.ESNext },
  });
  await writeFile(`${FOLDER}/${file}`, outputText);
  return `${FOLDER}/${file}`;
}

/** The example does not tell when it listens, so the port is tried until it does. */
async function connectOnceUp(
  url: string,
  options: ClientOptions,
  triesLeft = 100,
): ReturnType<typeof connect> {
  try {
    return await connect(url, options);
  } catch (error) {
    if (triesLeft === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return connectOnceUp(url, options, triesLeft - 1);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
