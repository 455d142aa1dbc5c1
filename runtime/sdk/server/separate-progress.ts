import type { Frame, Receiver, RequestId, Transport } from "@mcp-codegen/runtime";

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
