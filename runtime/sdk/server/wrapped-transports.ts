import type {
  Frame,
  Receiver,
  RequestId,
  Transport,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import type { Connection } from "./connection.js";

const INITIALIZED = "notifications/initialized";

/** Calls back when the client of a connection has told that it is ready, which the engine keeps to itself. */
export function onInitialized(connection: Connection, callback: () => void): void {
  const connect = connection.connect.bind(connection);
  connection.connect = (transport, options) =>
    connect(new HeardTransport(transport, callback), options);
}

class HeardTransport implements RuntimeTransport {
  readonly #inner: RuntimeTransport;
  readonly #callback: () => void;

  constructor(inner: RuntimeTransport, callback: () => void) {
    this.#inner = inner;
    this.#callback = callback;
  }

  get hooks(): RuntimeTransport["hooks"] {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start({
      message: (value, origin) => {
        receiver.message(value, origin);
        if ((value as { method?: unknown } | null)?.method === INITIALIZED) this.#callback();
      },
      malformed: (problem) => receiver.malformed(problem),
      failed: (id, error) => receiver.failed(id, error),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }
}

/** Time between progress and the next result, in milliseconds. */
const APART = 2;

/**
 * Transport that writes a result apart from the progress just before it. Clients of the official SDK take progress that
 * they read together with the result for unknown.
 */
export class SeparateProgress implements Transport {
  readonly #inner: Transport;
  #toldAt = -Infinity;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get hooks(): Transport["hooks"] {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start(receiver);
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    if ("method" in frame) {
      if (frame.method === "notifications/progress") this.#toldAt = performance.now();
    } else if (performance.now() - this.#toldAt < APART) {
      return this.#later(frame, relatedTo);
    }
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  async #later(frame: Frame, relatedTo?: RequestId): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, APART));
    await this.#inner.send(frame, relatedTo);
  }
}
