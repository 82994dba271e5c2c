import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What stands between a client and its server, so that a test can come between them. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private silent = false;

  private constructor(
    private server: Server,
    /** Where it listens, on this machine. */
    readonly port: number,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    this.attach();
  }

  static async open(target: { host: string; port: number }): Promise<TcpProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, (server.address() as AddressInfo).port, target);
  }

  /** How many connections are open, each with its two ends. */
  get open(): number {
    return this.sockets.size / 2;
  }

  /** Ends every connection, and refuses others. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.drop();
    await closed;
  }

  /** Ends every connection; others are let through. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Accepts what comes and passes nothing on, as a machine does that has vanished. */
  mute(): void {
    this.silent = true;
    for (const socket of this.sockets) socket.unpipe();
  }

  /** Lets everybody through again; what was muted stays dead, and has to be connected anew. */
  async restore(): Promise<void> {
    this.silent = false;
    if (this.server.listening) return;
    this.server = createServer().listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.attach();
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.cut();
  }

  private attach(): void {
    this.server.on('connection', (client) => {
      const upstream = connect(this.target);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      if (this.silent) return;
      client.pipe(upstream);
      upstream.pipe(client);
    });
  }
}
