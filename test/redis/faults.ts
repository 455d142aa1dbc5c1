import { createServer, type Server, type Socket, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A place that clients connect to. It can be moved to another server, as a failover address is, or become slow. */
export class Door {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  /** The number of milliseconds by which everything that the server sends is delayed. */
  delay = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
    this.#target = target;
    server.on("connection", (socket) => this.#carry(socket));
  }

  static async open(target: number): Promise<Door> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Door(server, target);
  }

  /** Leads to another server from now on, and cuts the connections to the previous one. */
  lead(target: number): void {
    this.#target = target;
    this.cut();
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #carry(socket: Socket): void {
    const other = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(from);
      if (from === socket) from.pipe(to);
      else this.#carrySlowly(from, to);
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }

  #carrySlowly(from: Socket, to: Socket): void {
    let before: Promise<unknown> = Promise.resolve();
    from.on("data", (data) => {
      before = Promise.all([sleep(this.delay), before]).then(() => to.write(data));
    });
  }
}
