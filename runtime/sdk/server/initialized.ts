import type {
  Frame,
  Receiver,
  RequestId,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import type { Connection } from "./definition.js";

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
