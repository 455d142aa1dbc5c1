import type { Revision } from "../../wire/index.js";
import type { Fork, Forkable } from "./forkable.js";
import { type StandaloneHost, StandaloneTransport } from "./standalone-transport.js";

/** A server with the transport that it is connected to. */
export interface Connected {
  readonly server: Fork;
  readonly transport: StandaloneTransport;
}

/** The connection for requests that stand alone: made for the first of them, and again should it end. */
export class StandaloneConnection {
  readonly #server: Forkable;
  readonly #host: StandaloneHost;
  readonly #revision: Revision;
  #connected: Connected | undefined;
  #connecting: Promise<Connected> | undefined;

  constructor(server: Forkable, host: StandaloneHost, revision: Revision) {
    this.#server = server;
    this.#host = host;
    this.#revision = revision;
  }

  get(): Connected | Promise<Connected> {
    const connected = this.#connected;
    if (connected && !connected.transport.isClosed) return connected;
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** Subscriptions get their answers, and all else that is under way is over. */
  async end(): Promise<void> {
    const connected = this.#connecting ? await this.#connecting : this.#connected;
    await connected?.server.close();
  }

  async #connect(): Promise<Connected> {
    try {
      const server = this.#server.fork();
      const transport = new StandaloneTransport(this.#host, server, this.#revision);
      await server.connect(transport);
      this.#connected = { server, transport };
      return this.#connected;
    } finally {
      this.#connecting = undefined;
    }
  }
}
