import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { PlayTask, TaskTicket } from '@dacapo/tasks';
import { soon } from './patience.js';

/** Plays tickets, and remembers which. */
export class PlayedTickets {
  /** Of every play, begun or ended, in order. */
  readonly begun: TaskTicket[] = [];
  readonly ended: TaskTicket[] = [];
  private readonly arrivals: (() => void)[] = [];

  /** @param work what is done in a play */
  constructor(private readonly work: PlayTask = () => Promise.resolve()) {}

  readonly play: PlayTask = async (ticket) => {
    this.begun.push(ticket);
    this.wake();
    await this.work(ticket);
    this.ended.push(ticket);
    this.wake();
  };

  /** How often a ticket has been begun. */
  timesOf({ taskId, server, wake }: TaskTicket): number {
    return this.begun.filter(
      (other) => other.taskId === taskId && other.server === server && other.wake === wake,
    ).length;
  }

  /** Resolves when a ticket has been begun so many times. */
  async untilBegun(ticket: TaskTicket, times = 1): Promise<void> {
    const begun = async (): Promise<void> => {
      while (this.timesOf(ticket) < times) {
        await new Promise<void>((resolve) => this.arrivals.push(resolve));
      }
    };
    await soon(begun(), `${describe(ticket)} was not played ${times}× (${this.list()})`);
    await turn();
  }

  /** Resolves when so many plays have ended. */
  async untilEnded(plays: number): Promise<void> {
    const ended = async (): Promise<void> => {
      while (this.ended.length < plays) {
        await new Promise<void>((resolve) => this.arrivals.push(resolve));
      }
    };
    await soon(ended(), `${plays} plays have not ended`);
  }

  /** @throws when a ticket was played */
  assertNotBegun(ticket: TaskTicket): void {
    assert.equal(this.timesOf(ticket), 0, `${describe(ticket)} was played`);
  }

  private list(): string {
    return `played: ${this.begun.map(describe).join(', ') || 'none'}`;
  }

  private wake(): void {
    for (const resolve of this.arrivals.splice(0)) resolve();
  }
}

function describe({ taskId, server, wake }: TaskTicket): string {
  return `${taskId.slice(0, 6)}/${wake} of ${server}`;
}
