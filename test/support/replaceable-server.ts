import type { Server } from 'node:http';
import { eventually } from '@dacapo/testing/tasks';
import type { TestServer } from './test-server.js';
import { callTool, type WireResponse } from './wire.js';

/** Work of an instance that is held while the instance is taken away. */
export class Gate {
  /** How many are in front of it. */
  waiting = 0;
  open: () => void = () => undefined;
  private opened: Promise<void> = Promise.resolve();

  shut(): void {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  async pass(): Promise<void> {
    this.waiting += 1;
    await this.opened;
    this.waiting -= 1;
  }
}

interface Instance {
  readonly server: TestServer;
  readonly gate: Gate;
  /** Calls that are not answered yet. */
  calls: number;
}

/** A server that clients find at one place, while the instance behind it is replaced. */
export class ReplaceableServer {
  private current: Instance | undefined;

  /** The first instance, or another one in place of the last, which ends what it has begun. */
  async deploy(start: (gate: Gate) => Promise<TestServer>): Promise<void> {
    const last = this.current;
    const gate = new Gate();
    const next = { server: await start(gate), gate, calls: 0 };
    last?.gate.shut();
    if (last !== undefined) await until(() => last.gate.waiting > 0, 'a call at the gate');
    this.current = next;
    if (last !== undefined) await end(last);
  }

  async callTool(...call: Tail<Parameters<typeof callTool>>): Promise<WireResponse> {
    const { current } = this;
    if (current === undefined) throw new Error('nothing is deployed here');
    current.calls += 1;
    try {
      return await callTool(current.server.url, ...call);
    } finally {
      current.calls -= 1;
    }
  }

  async close(): Promise<void> {
    await this.current?.server.close();
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest]
  ? Rest
  : never;

/** Closes an instance nobody calls any more while the calls that its gate holds are in flight. */
async function end(instance: Instance): Promise<void> {
  const { server, gate } = instance;
  const http = server.app.getHttpServer() as Server;
  await until(() => instance.calls === gate.waiting, 'the end of all calls but those at the gate');
  const closing = server.app.close();
  await until(() => !http.listening, 'the end of listening');
  gate.open();
  await until(() => instance.calls === 0, 'the end of all calls');
  // Clients keep their connections for a while.
  http.closeAllConnections();
  await closing;
}

/** For what has no event of its own. */
function until(reached: () => boolean, what: string): Promise<void> {
  return eventually(async () => {
    if (!reached()) throw new Error(`${what} is still to come`);
  });
}
