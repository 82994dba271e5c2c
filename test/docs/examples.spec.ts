import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type ClientOptions, connect } from '../support/official-client.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Example {
  readonly name: string;
  readonly code: string;
}

/** Every TypeScript block of a document. */
async function examplesOf(document: string): Promise<Example[]> {
  const page = await readFile(root + document, 'utf8');
  return [...page.matchAll(/^```ts\n(.*?)^```/gms)].map((match, index) => ({
    name: `${document}#${index + 1}`,
    code: match[1] as string,
  }));
}

async function documents(): Promise<string[]> {
  const pages = await readdir(`${root}docs`, { recursive: true });
  return [
    'README.md',
    ...pages.filter((page) => page.endsWith('.md')).map((page) => `docs/${page}`),
  ];
}

const base = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(base.config, ts.sys, root);

/** Type-checks examples as files of the repository's root; returns the complaints. */
function compile(examples: readonly Example[], stricter: ts.CompilerOptions = {}): string[] {
  const files = new Map(
    examples.map(({ code }, index) => [`${root}example-${index + 1}.ts`, code]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile: read } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? read(path);
  const program = ts.createProgram(
    [...files.keys()],
    {
      ...options,
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
  stdio: { graceMs: absent }, lists: { pageSize: absent }, subscriptions: absent,
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

  it('of the README are about thirty lines, and run', async () => {
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
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });
});

/** Writes an example where Node can run it; resolves with the path. */
async function emit(file: string, code: string): Promise<string> {
  const folder = `${root}node_modules/.cache/dacapo/examples`;
  await mkdir(folder, { recursive: true });
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { ...options, sourceMap: false, module: ts.ModuleKind.ESNext },
  });
  await writeFile(`${folder}/${file}`, outputText);
  return `${folder}/${file}`;
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
