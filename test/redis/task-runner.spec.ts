import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { PlayedTickets, taskRunnerContract } from '@dacapo/testing/tasks';
import { BullTaskRunner, type BullTaskRunnerOptions } from '@dacapo/redis';
import type { TaskTicket } from '@dacapo/tasks';
import { UnrecoverableError } from 'bullmq';
import { connectRedis, describeWithRedis, redisUrl, somePrefix } from '../support/redis.js';

const WORKER = fileURLToPath(new URL('../fixtures/redis-worker.mjs', import.meta.url));
const SERVER = 'bakery@1.0.0';
const ticket: TaskTicket = { taskId: 'cake', server: SERVER, wake: 1 };

describeWithRedis('BullTaskRunner', () => {
  const runners: BullTaskRunner[] = [];

  beforeAll(() => void Logger.overrideLogger(false));
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()));
  });

  function make(options: BullTaskRunnerOptions): BullTaskRunner {
    const runner = new BullTaskRunner(connectRedis(), { retryMs: 10, ...options });
    runners.push(runner);
    return runner;
  }

  const contract = taskRunnerContract(() => {
    const prefix = somePrefix();
    return { runner: make({ prefix }), second: make({ prefix }) };
  });

  it.each(contract)('%s', (_name, run) => run());

  it('takes over from every instance that is killed, however many', async () => {
    const prefix = somePrefix();
    const options = { prefix, lockMs: 200 };
    const runner = make(options);
    await runner.schedule(ticket);
    for (let killed = 0; killed < 3; killed += 1) {
      const worker = spawn(process.execPath, [WORKER], {
        env: {
          ...process.env,
          REDIS_WORKER: JSON.stringify({ url: redisUrl, server: SERVER, options }),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = (await once(worker.stdout, 'data')) as [Buffer];
      expect(said.toString()).toBe('begun 1\n');
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    const played = new PlayedTickets();
    await runner.start(SERVER, played.play);
    await played.untilEnded(1);
    expect(played.ended).toEqual([ticket]);
  });

  it('keeps a round that takes longer than an instance may be silent', async () => {
    // Long enough for a busy machine to give a sign of life in time.
    const options = { prefix: somePrefix(), lockMs: 3_000 };
    const [runner, second] = [make(options), make(options)];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const played = new PlayedTickets(({ wake }) => (wake === 1 ? gate : Promise.resolve()));
    for (const each of [runner, second]) await each.start(SERVER, played.play);
    await runner.schedule(ticket);
    const witness = { ...ticket, wake: 2 };
    await second.schedule(witness, 2 * options.lockMs);
    await played.untilBegun(witness);
    expect(played.timesOf(ticket)).toBe(1);
    open();
  });

  it.each([
    ['nothing', undefined],
    ['what BullMQ does not try again', new UnrecoverableError('never')],
    ['what BullMQ takes for a limit', new Error('bullmq:rateLimitExceeded')],
    ['what BullMQ takes for a delay', Object.assign(new Error('x'), { name: 'DelayedError' })],
  ])('tries a job again that was rejected with %s', async (_name, reason) => {
    const runner = make({ prefix: somePrefix() });
    let failures = 2;
    const played = new PlayedTickets(async () => {
      if (failures-- > 0) throw reason;
    });
    await runner.start(SERVER, played.play);
    await runner.schedule(ticket);
    await played.untilEnded(1);
    expect(played.begun).toHaveLength(3);
  });

  it('keeps nothing of what a job was rejected with, and nothing of one that is done', async () => {
    const prefix = somePrefix();
    const runner = make({ prefix, retryMs: 3_600_000, maxRetryMs: 3_600_000 });
    const redis = connectRedis();
    const jobKey = `${prefix}:queue:${encodeURIComponent(SERVER)}:cake.1`;
    let fails = true;
    const played = new PlayedTickets(async () => {
      if (fails) throw new Error('SELECT * FROM secrets');
    });
    await runner.start(SERVER, played.play);
    await runner.schedule(ticket);
    await played.untilBegun(ticket);
    await runner.stop(SERVER, 5_000);
    const kept = await redis.hgetall(jobKey);
    expect(kept['failedReason']).toBe('The round could not be played.');
    expect(JSON.stringify(kept)).not.toContain('secrets');

    fails = false;
    await runner.postpone(ticket, 0);
    await runner.start(SERVER, played.play);
    await played.untilEnded(1);
    await runner.stop(SERVER, 5_000);
    expect(await redis.exists(jobKey)).toBe(0);
  });

  it('plays at most as many rounds at once as it is told', async () => {
    const runner = make({ prefix: somePrefix(), concurrency: 2 });
    let now = 0;
    let most = 0;
    const played = new PlayedTickets(async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      now -= 1;
    });
    const wakes = [1, 2, 3, 4, 5, 6];
    await Promise.all(wakes.map((wake) => runner.schedule({ ...ticket, wake })));
    await runner.start(SERVER, played.play);
    await played.untilEnded(wakes.length);
    expect(most).toBe(2);
  });

  it.each([
    [{ concurrency: 0 }, /option runner\.concurrency is 0\. Give a whole number from 1/],
    [{ lockMs: 1.5 }, /option runner\.lockMs is 1\.5/],
    [{ retryMs: Number.NaN }, /option runner\.retryMs is NaN/],
    [{ maxRetryMs: 2 ** 31 }, /option runner\.maxRetryMs is 2147483648/],
  ])('refuses %j', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});
