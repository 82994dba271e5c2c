import { Poster } from '../drive/poster.js';
import { driveRequests } from '../drive/requests.js';
import type { Measured } from '../measure/measured.js';
import { measureInTurn, type Subject } from '../measure/passes.js';
import type { RunningServer } from '../process/running-server.js';
import type { WireRequest } from '../wire.js';
import type { Program } from './programs.js';
import type { Bench, Scenario } from './scenario.js';

/** A server that is sent one request over and over. */
export interface Contestant {
  /** The program and its arguments. Contestants of the same share a process. */
  readonly server: Program;
  /** Where it differs from what the server announces. */
  readonly path?: string;
  readonly request: WireRequest;
  /** Gets the server ready, and may say what is sent to it instead. */
  readonly prepare?: (server: RunningServer, bench: Bench) => Promise<WireRequest | undefined>;
  /** @throws Error when this is not the answer that is to be measured */
  readonly verify: (answer: string) => void;
}

/** A scenario whose lines are servers that are sent one request over and over. */
export function requestsScenario(
  name: string,
  contestants: Readonly<Record<string, Contestant>>,
): Scenario {
  const entries = Object.entries(contestants).map(
    ([line, contestant]) => [`${name} ${line}`, contestant] as const,
  );
  return {
    name,
    lines: entries.map(([line]) => line),
    async run(bench: Bench): Promise<Measured[]> {
      const subjects: Subject[] = [];
      const servers = new Map<string, RunningServer>();
      for (const [line, contestant] of entries) {
        if (!bench.wants(line)) continue;
        const key = contestant.server.join(' ');
        const server = servers.get(key) ?? (await bench.workbench.start(...contestant.server));
        servers.set(key, server);
        subjects.push(await subjectOf(line, contestant, server, bench));
      }
      return measureInTurn(subjects, bench.effort);
    },
  };
}

async function subjectOf(
  name: string,
  { path = '', request, prepare, verify }: Contestant,
  server: RunningServer,
  bench: Bench,
): Promise<Subject> {
  const url = server.url + path;
  const sent = (await prepare?.(server, bench)) ?? request;
  const poster = new Poster(url, 1);
  try {
    verify(await poster.post(sent));
  } catch (error) {
    throw new Error(`${name} does not answer as it should.`, { cause: error });
  } finally {
    poster.close();
  }
  const { connections } = bench.effort;
  return { name, server, drive: (amount) => driveRequests(url, sent, { connections, amount }) };
}
