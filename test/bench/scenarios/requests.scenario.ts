import { Poster } from '../drive/poster.js';
import { driveRequests } from '../drive/requests.js';
import type { Measured } from '../measure/measured.js';
import { measureInTurn, type Subject } from '../measure/passes.js';
import type { RunningServer } from '../process/running-server.js';
import type { WireRequest } from '../wire.js';
import type { Program } from './programs.js';
import type { Bench, Scenario } from './scenario.js';

/** Starts a program, or gives the process of it that this scenario has already. */
export type Start = (program: Program) => Promise<RunningServer>;

/** A server that is sent one request over and over. */
export interface Contestant {
  /** The program and its arguments. Contestants of the same share a process. */
  readonly server: Program;
  /** Where it differs from what the server announces. */
  readonly path?: string;
  readonly request: WireRequest;
  /** Gets the server ready, and may say what is sent to it instead. */
  readonly prepare?: (server: RunningServer, start: Start) => Promise<WireRequest | undefined>;
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
      const start: Start = async (program) => {
        const key = program.join(' ');
        const server = servers.get(key) ?? (await bench.workbench.start(...program));
        servers.set(key, server);
        return server;
      };
      for (const [line, contestant] of entries) {
        if (bench.wants(line)) subjects.push(await subjectOf(line, contestant, start, bench));
      }
      return measureInTurn(subjects, bench.effort);
    },
  };
}

async function subjectOf(
  name: string,
  { server: program, path = '', request, prepare, verify }: Contestant,
  start: Start,
  { effort: { connections } }: Bench,
): Promise<Subject> {
  const server = await start(program);
  const url = server.url + path;
  const sent = (await prepare?.(server, start)) ?? request;
  const poster = new Poster(url, 1);
  try {
    verify(await poster.post(sent));
  } catch (error) {
    throw new Error(`${name} does not answer as it should.`, { cause: error });
  } finally {
    poster.close();
  }
  return { name, server, drive: (amount) => driveRequests(url, sent, { connections, amount }) };
}
