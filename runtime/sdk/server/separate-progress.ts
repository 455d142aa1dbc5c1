import type { Frame, Receiver, RequestId, Transport } from "@mcp-codegen/runtime";

/**
 * Transport that lets a turn of the event loop pass after each progress notification, for handlers that await it: what
 * comes next is written apart from it. Clients of the official SDK take progress that they read together with the
 * result for unknown.
 */
export class SeparateProgress implements Transport {
  readonly #inner: Transport;

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
    const sending = this.#inner.send(frame, relatedTo);
    return (frame as { method?: unknown }).method === "notifications/progress"
      ? afterTurn(sending)
      : sending;
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }
}

async function afterTurn(sending: Promise<void> | undefined): Promise<void> {
  await sending;
  await new Promise((resolve) => setImmediate(resolve));
}
