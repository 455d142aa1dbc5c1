import { deliver } from "../../../runtime/wire/messages/decode.js";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import type { Frame } from "../../../runtime/wire/messages/jsonrpc.js";
import type { Receiver, Transport } from "../../../runtime/wire/messages/transport.js";
import { RawEnd } from "../support/raw-end.js";
import { Serving } from "./serving.js";
import type { Connecting } from "./wire.js";

/** Our end of a connection whose other end the test controls. */
class HandHeld extends RawEnd {
  readonly transport: Transport;
  #receiver: Receiver | undefined;

  constructor() {
    super();
    this.transport = {
      start: (receiver) => void (this.#receiver = receiver),
      send: (frame: Frame) => {
        this.take(JSON.parse(JSON.stringify(frame)));
        return undefined;
      },
      close: () => void (this.isClosed = true),
    };
  }

  say(message: unknown): void {
    deliver(typeof message === "string" ? message : JSON.stringify(message), this.#receiver!);
  }

  async close(): Promise<void> {
    this.#receiver?.closed();
  }
}

/** A connection within one process. */
export const memory: Connecting = {
  name: "memory",
  traits: { sessions: true, asks: true, early: true, tells: true, shared: true },

  async serve(from, kind, trustsClients) {
    const serving = new Serving(from, kind, trustsClients);
    return {
      violations: serving.violations,
      errors: serving.errors,
      transport: () => {
        const [near, far] = memoryPair();
        void serving.fork().connect(far);
        return near;
      },
      raw: async () => {
        const raw = new HandHeld();
        await serving.fork().connect(raw.transport);
        return raw;
      },
      close: () => serving.server.close(),
    };
  },

  async puppet() {
    const raw = new HandHeld();
    return { transport: raw.transport, raw, close: async () => {} };
  },
};
