import assert from 'node:assert/strict';
import type { Awaitable } from '@dacapo/mcp';
import type { McpTaskRunner, TaskTicket } from '@dacapo/tasks';
import type { ContractCase } from './contract-case.js';
import { eventually, soon } from './patience.js';
import { PlayedTickets } from './played-tickets.js';
import { someTaskId } from './sample-record.js';

/** A runner to be tried, as the application would make it. */
export interface TaskRunnerSubject {
  readonly runner: McpTaskRunner;
  /** Another instance that has the same jobs, of a runner that is shared. */
  readonly second?: McpTaskRunner;
  /** Called when a case has ended, and what it started was stopped. */
  readonly close?: () => Awaitable<void>;
}

/** What a case is given. */
interface Trial {
  readonly runner: McpTaskRunner;
  readonly second: McpTaskRunner | undefined;
  /** Starts a server; what it plays is stopped when the case has ended. */
  readonly started: (played: PlayedTickets, options?: StartOptions) => Promise<PlayedTickets>;
}

interface StartOptions {
  readonly server?: string;
  readonly runner?: McpTaskRunner;
}

/** Servers have names like this; nothing in them may be taken for something else. */
const SERVER = 'contract: bakery@1.0.0';
const OTHER_SERVER = 'contract: florist@1.0.0';
const SOON_MS = 100;
const LATER_MS = 400;
const NEVER_MS = 3_600_000;
const GRACE_MS = 10_000;

function ticketOf(changes: Partial<TaskTicket> = {}): TaskTicket {
  return { taskId: someTaskId(), server: SERVER, wake: 1, ...changes };
}

const CASES: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  'plays what is handed in': async ({ runner, started }) => {
    const played = await started(new PlayedTickets());
    const ticket = ticketOf({ wake: 3 });
    await runner.schedule(ticket);
    await played.untilBegun(ticket);
    assert.deepEqual(played.begun, [ticket]);
  },

  'plays what was handed in before it has begun to play': async ({ runner, started }) => {
    const ticket = ticketOf();
    await runner.schedule(ticket);
    const played = await started(new PlayedTickets());
    await played.untilBegun(ticket);
  },

  'plays what another instance was handed': async ({ runner, second, started }) => {
    const played = await started(new PlayedTickets(), { runner });
    const ticket = ticketOf();
    await (second ?? runner).schedule(ticket);
    await played.untilBegun(ticket);
  },

  'plays a job once, though two instances wait for it': async ({ runner, second, started }) => {
    const played = await started(new PlayedTickets(), { runner });
    if (second !== undefined) await started(played, { runner: second });
    const tickets = Array.from({ length: 20 }, () => ticketOf());
    await Promise.all(tickets.map((ticket) => runner.schedule(ticket)));
    await played.untilEnded(tickets.length);
    for (const ticket of tickets) assert.equal(played.timesOf(ticket), 1);
  },

  'takes a job that is handed in again for the same, until it is done': async (trial) => {
    const { runner, second = runner, started } = trial;
    const gate = gateOf();
    const played = await started(new PlayedTickets(() => gate.opened));
    const ticket = ticketOf();
    await Promise.all([runner.schedule(ticket), second.schedule(ticket), runner.schedule(ticket)]);
    await played.untilBegun(ticket);
    await second.schedule(ticket);
    gate.open();
    await played.untilEnded(1);
    await runner.stop(SERVER, GRACE_MS);
    assert.equal(played.timesOf(ticket), 1);
  },

  'takes one that is handed in when it is done for another': async ({ runner, started }) => {
    const played = await started(new PlayedTickets());
    const ticket = ticketOf();
    await runner.schedule(ticket);
    await played.untilEnded(1);
    await eventually(async () => {
      await runner.schedule(ticket);
      assert.ok(played.timesOf(ticket) > 1);
    });
  },

  'tells the jobs of one task apart': async ({ runner, started }) => {
    const played = await started(new PlayedTickets());
    const first = ticketOf();
    const second = { ...first, wake: 2 };
    await Promise.all([runner.schedule(first), runner.schedule(second)]);
    await played.untilEnded(2);
    assert.deepEqual([played.timesOf(first), played.timesOf(second)], [1, 1]);
  },

  'tries a job again that was rejected': async ({ runner, started }) => {
    let failures = 2;
    const played = await started(
      new PlayedTickets(() => (failures-- > 0 ? unplayable() : Promise.resolve())),
    );
    const ticket = ticketOf();
    await runner.schedule(ticket);
    await played.untilBegun(ticket, 3);
    await played.untilEnded(1);
  },

  'plays others while one is rejected': async ({ runner, started }) => {
    const bad = ticketOf();
    const played = await started(
      new PlayedTickets(({ taskId }) => (taskId === bad.taskId ? unplayable() : Promise.resolve())),
    );
    await runner.schedule(bad);
    await played.untilBegun(bad);
    const good = ticketOf();
    await runner.schedule(good);
    await played.untilEnded(1);
    assert.deepEqual(played.ended, [good]);
    await runner.stop(SERVER, GRACE_MS);
  },

  'plays a delayed job later': async ({ runner, started }) => {
    const played = await started(new PlayedTickets());
    const [late, early] = [ticketOf(), ticketOf()];
    await runner.schedule(late, LATER_MS);
    await runner.schedule(early);
    await played.untilEnded(2);
    assert.deepEqual(played.begun, [early, late]);
  },

  'puts a delayed job off': async ({ runner, second = runner, started }) => {
    const played = await started(new PlayedTickets());
    const [put, witness] = [ticketOf(), ticketOf()];
    await runner.schedule(put, LATER_MS);
    await second.postpone(put, NEVER_MS);
    await runner.schedule(witness, LATER_MS + SOON_MS);
    await played.untilBegun(witness);
    played.assertNotBegun(put);
    await second.postpone(put, 0);
    await played.untilBegun(put);
  },

  'takes a delayed job back': async ({ runner, second = runner, started }) => {
    const played = await started(new PlayedTickets());
    const [back, witness] = [ticketOf(), ticketOf()];
    await runner.schedule(back, LATER_MS);
    await second.withdraw(back);
    await runner.schedule(witness, LATER_MS + SOON_MS);
    await played.untilBegun(witness);
    played.assertNotBegun(back);
    await runner.schedule(back);
    await played.untilBegun(back);
  },

  'neither puts off nor takes back what has begun': async (trial) => {
    const { runner, second = runner, started } = trial;
    const gate = gateOf();
    const played = await started(new PlayedTickets(() => gate.opened));
    const ticket = ticketOf();
    await runner.schedule(ticket);
    await played.untilBegun(ticket);
    for (const any of [runner, second]) {
      await any.postpone(ticket, NEVER_MS);
      await any.withdraw(ticket);
    }
    gate.open();
    await played.untilEnded(1);
    await runner.stop(SERVER, GRACE_MS);
    assert.equal(played.timesOf(ticket), 1);
  },

  'neither puts off nor takes back what it does not know': async ({ runner, started }) => {
    const ticket = ticketOf();
    await runner.postpone(ticket, 0);
    await runner.withdraw(ticket);
    const played = await started(new PlayedTickets());
    const witness = ticketOf();
    await runner.schedule(witness, SOON_MS);
    await played.untilBegun(witness);
    played.assertNotBegun(ticket);
  },

  'plays for each server its own': async ({ runner, started }) => {
    const bakery = await started(new PlayedTickets());
    const florist = await started(new PlayedTickets(), { server: OTHER_SERVER });
    const cake = ticketOf();
    const flowers = { ...cake, server: OTHER_SERVER };
    await Promise.all([runner.schedule(cake), runner.schedule(flowers)]);
    await Promise.all([bakery.untilEnded(1), florist.untilEnded(1)]);
    assert.deepEqual([bakery.begun, florist.begun], [[cake], [flowers]]);
  },

  'lets rounds under way end when it stops, and begins no others': async ({ runner, started }) => {
    const gate = gateOf();
    const played = await started(new PlayedTickets(() => gate.opened));
    const ticket = ticketOf();
    await runner.schedule(ticket);
    await played.untilBegun(ticket);
    let stopped = false;
    const stopping = runner.stop(SERVER, GRACE_MS).then(() => (stopped = true));
    const late = ticketOf();
    // An instance that stops may refuse what it could not play; one that shares its jobs takes it.
    await runner.schedule(late).catch(() => undefined);
    assert.equal(stopped, false);
    gate.open();
    await soon(stopping, 'The runner did not stop');
    assert.deepEqual(played.ended, [ticket]);
    played.assertNotBegun(late);
  },

  'stops though a round does not end, and hands it back': async ({ runner, second, started }) => {
    const gate = gateOf();
    const played = await started(new PlayedTickets(() => gate.opened), { runner });
    const ticket = ticketOf();
    await runner.schedule(ticket);
    await played.untilBegun(ticket);
    await soon(runner.stop(SERVER, SOON_MS), 'The runner did not stop');
    assert.deepEqual(played.ended, []);
    if (second !== undefined) {
      const elsewhere = await started(new PlayedTickets(), { runner: second });
      await elsewhere.untilEnded(1);
      assert.deepEqual(elsewhere.begun, [ticket]);
    }
    gate.open();
  },

  'goes on for one server when another stops': async ({ runner, started }) => {
    await started(new PlayedTickets(), { server: OTHER_SERVER });
    const bakery = await started(new PlayedTickets());
    await runner.stop(OTHER_SERVER, GRACE_MS);
    const ticket = ticketOf();
    await runner.schedule(ticket);
    await bakery.untilBegun(ticket);
  },

  'stops again, and what was never started, in vain': async ({ runner, started }) => {
    await started(new PlayedTickets());
    await runner.stop(SERVER, GRACE_MS);
    await runner.stop(SERVER, GRACE_MS);
    await runner.stop(OTHER_SERVER, GRACE_MS);
  },
};

/**
 * What every task runner does, as cases for a test framework. Each makes a runner of its own. A job that
 * was rejected is expected to be tried again within seconds.
 *
 * @example
 * it.each(taskRunnerContract(() => ({ runner: new MyTaskRunner() })))('%s', (_name, run) => run());
 */
export function taskRunnerContract(makeRunner: () => Awaitable<TaskRunnerSubject>): ContractCase[] {
  return Object.entries(CASES).map(([name, run]) => [
    name,
    async () => {
      const subject = await makeRunner();
      const stops: (() => Promise<void>)[] = [];
      try {
        await run({
          runner: subject.runner,
          second: subject.second,
          async started(played, { server = SERVER, runner = subject.runner } = {}) {
            stops.push(() => runner.stop(server, GRACE_MS));
            await runner.start(server, played.play);
            return played;
          },
        });
      } finally {
        for (const stop of stops) await stop();
        await subject.close?.();
      }
    },
  ]);
}

function unplayable(): Promise<never> {
  return Promise.reject(new Error('The store does not answer'));
}

function gateOf(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
