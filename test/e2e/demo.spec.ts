import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { connect } from '../support/official-client.js';

/** Built before the tests run: what a newcomer starts is what is tested. */
const dist = new URL('../../apps/onboarding/dist/', import.meta.url);
const LIMIT_MS = 20_000;

/** Rows that make an import ask. */
const TAKEN_TWICE = JSON.stringify(
  ['ada@example.com', 'ADA@example.com'].map((email) => ({
    holder: 'Engines',
    email,
    plan: 'free',
  })),
);

jest.setTimeout(LIMIT_MS + 10_000);

const running = new Set<ChildProcess>();

function start(entry: string, ...args: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(entry, dist)), ...args], {
    env: { PATH: process.env['PATH'], PORT: '0' },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const exit = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, exit };
}

/** Plays the demo with answers piped in, and waits for its end. */
async function demo(args: string[], lines: string[] = []) {
  const { child, exit } = start('demo/main.js', ...args);
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { output, errors, code, rounds: output.match(/round \d+ .*\n.*/g) ?? [] };
}

/** Waits until a process has written something. */
async function until(child: ReturnType<typeof start>['child'], pattern: RegExp): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk as string;
    const match = pattern.exec(output);
    if (match !== null) return match[1] ?? match[0];
  }
  throw new Error(`The process has ended without ${String(pattern)}: ${output}`);
}

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

describe('the demo, played by its script', () => {
  it('shows a whole conversation and ends with 0', async () => {
    const { output, errors, code } = await demo(['--script']);
    expect(errors).toBe('');
    expect(code).toBe(0);
    for (const line of [
      /^ +\d {2}openAccount +Opens an account\./m,
      /round 1 {2}→ tools\/call openAccount\n +← input_required · asks email \(elicitation\/create\) · requestState \d+ bytes/,
      /round 2 {2}→ tools\/call openAccount · email: accept \{"email":"ada@example.com"\} · requestState \d+ bytes\n +← input_required · asks plan/,
      /round 3 {2}→ tools\/call openAccount · plan: accept \{"plan":"team","yearly":true\} · requestState \d+ bytes\n +← complete/,
      /round 1 {2}→ resources\/read accounts:\/\/acc-1\n +← complete/,
      /round 2 {2}→ prompts\/get welcomeLetter · tone: accept \{"tone":"formal"\}/,
      /← HTTP 403 · error 403 · You have no account "acc-1"/,
      /← HTTP 401 · error 401 · The tool listAccounts is for signed-in callers/,
      /round 1 {2}→ tools\/call importAccounts\n +← task · status working/,
      /task {5}→ tasks\/get \S+…\n +← complete · status input_required · "1\/2: 3 rows checked" · asks taken/,
      /task {5}→ tasks\/update \S+… · taken: accept \{"taken":"skip"\}\n +← complete/,
      /task {5}→ tasks\/get \S+…\n +← complete · status completed/,
      /round 2 {2}→ tools\/call importAccounts · taken: accept \{"taken":"stop"\} · requestState/,
      /round 2 {2}→ tools\/call closeAccount · confirmation: decline/,
      /The account acc-1 is closed\./,
      /Everything went as expected\.\n$/,
    ]) {
      expect(output).toMatch(line);
    }
  });
});

describe('the demo, played by a person', () => {
  it('refuses what does not fit at the prompt, and sends what does', async () => {
    const { output, errors, code, rounds } = await demo(
      [],
      ['openAccount', 'Analytical Engines', '501', '', 'ada', 'ada@example.com', '4', '2', '', 'q'],
    );
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toContain(
      'seats (1 to 500) [1]: 501\n  ✗ "seats" must be at most 500.\n  seats (1 to 500) [1]: \n',
    );
    expect(output).toContain(
      'E-mail (email): ada\n  ✗ "E-mail" must be an e-mail address such as ada@example.com.\n  E-mail (email): ada@example.com\n',
    );
    expect(output).toContain('✗ "Plan" must be 1 to 3, or one of free, team, business.');
    // What was refused at the prompt has not travelled.
    expect(rounds).toHaveLength(3);
    expect(rounds[1]).toContain('email: accept {"email":"ada@example.com"}');
    expect(rounds[2]).toContain('plan: accept {"plan":"team","yearly":false}');
    expect(output).toContain('"plan": "team"');
    expect(output.endsWith('Goodbye.\n')).toBe(true);
  });

  it('sends declined and cancelled questions as answers', async () => {
    const { output, code, rounds } = await demo(
      [],
      ['2', 'Engines', '', '/decline', '2', 'Engines', '', '/cancel', 'q'],
    );
    expect(code).toBe(0);
    expect(rounds[1]).toMatch(/email: decline · .*\n.*complete/);
    expect(rounds[3]).toMatch(/email: cancel · .*\n.*complete/);
    expect(output.match(/Nothing was opened\./g)).toHaveLength(2);
  });

  it('lets somebody else, or nobody, call', async () => {
    const { output, code } = await demo([], ['c', '2', 'listAccounts', 'c', '3', '4', 'nothing']);
    expect(code).toBe(0);
    expect(output).toMatch(/grace@example.com > listAccounts[^>]*← complete/);
    expect(output).toMatch(/nobody \(no token\) > 4[^>]*← HTTP 401/);
    expect(output).toContain('✗ There is no "nothing". Choose 1 to 8, c, t, ? or q.');
  });

  it('answers a task as it answers a call, when tasks are on', async () => {
    const { output, errors, code } = await demo(
      [],
      ['t', 'importAccounts', TAKEN_TWICE, '', '2', 'Engines', '', '/cancel', 't', 'q'],
    );
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toContain('Rows whose address is taken (1 to 2) [skip]: \n');
    expect(output).toMatch(/task {5}→ tasks\/update \S+… · taken: accept \{"taken":"skip"\}/);
    expect(output).toContain('"reason": "Row 1 has this address already."');
    // A tool that becomes no task is the plain call it is.
    expect(output).toMatch(/round 2 {2}→ tools\/call openAccount · email: cancel/);
    expect(output).toContain('Tasks are off: every call is a plain one.');
  });

  it.each([
    ['at once', []],
    ['in the middle of a task', ['t', 'importAccounts', TAKEN_TWICE]],
    ['between arguments', ['openAccount', 'Analytical Engines']],
    ['in the middle of a question', ['openAccount', 'Analytical Engines', '', 'ada']],
  ])('ends when the input ends %s', async (_, lines) => {
    const { output, errors, code } = await demo([], lines);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output.endsWith('Goodbye.\n')).toBe(true);
  });

  it('ends when nobody reads any more', async () => {
    const { child, exit } = start('demo/main.js');
    await until(child, /ada@example\.com > /);
    child.stdout.destroy();
    child.stdin.write('openAccount\nAnalytical Engines\n\n');
    await expect(exit).resolves.toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s while a question is open', async (signal) => {
    const { child, exit } = start('demo/main.js');
    child.stdin.write('openAccount\nAnalytical Engines\n\n');
    await until(child, /E-mail \(email\): /);
    child.kill(signal);
    await expect(exit).resolves.toBe(0);
  });
});

describe('the server of the demo', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('tells its url, and goes on %s', async (signal) => {
    const { child, exit } = start('main.js');
    const url = await until(
      child,
      /The onboarding server listens at (http:\/\/127\.0\.0\.1:\d+\/mcp)\n/,
    );
    const client = await connect(url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('openAccount');
    child.kill(signal);
    await expect(exit).resolves.toBe(0);
    await client.close();
  });
});
