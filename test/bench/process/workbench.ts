import { RunningServer } from './running-server.js';

/** Starts the servers of a scenario, and stops them all when it is over. */
export class Workbench {
  private readonly servers: RunningServer[] = [];

  constructor(
    private readonly prefix: readonly string[],
    private readonly nodeOptions: readonly string[],
  ) {}

  async start(program: string, ...args: string[]): Promise<RunningServer> {
    const { prefix, nodeOptions } = this;
    const server = await RunningServer.start({ program, args, prefix, nodeOptions });
    this.servers.push(server);
    return server;
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }
}
