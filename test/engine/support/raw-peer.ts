import { deliver } from "../../../runtime/wire/messages/decode.js";
import type { Receiver, Transport } from "../../../runtime/wire/messages/transport.js";
import type { Frame } from "../../../runtime/wire/messages/jsonrpc.js";

/** Any value that a peer could send back, to be inspected. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

/** The other end of a connection, controlled by the test. It sends anything and records exactly what it receives. */
export class RawPeer implements Transport {
  /** All received messages, in parsed form. */
  readonly received: Wire[] = [];
  /** The ids that the messages were declared to belong to. */
  readonly related: unknown[] = [];
  isClosed = false;
  #receiver: Receiver | undefined;
  #awaited: (() => void)[] = [];
  #next = 0;

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(frame: Frame, relatedTo?: unknown): undefined {
    this.received.push(JSON.parse(JSON.stringify(frame)));
    this.related.push(relatedTo);
    for (const wake of this.#awaited.splice(0)) wake();
  }

  close(): void {
    this.isClosed = true;
  }

  get receiver(): Receiver {
    return this.#receiver!;
  }

  /** Sends a message or any text. */
  say(message: unknown): void {
    deliver(typeof message === "string" ? message : JSON.stringify(message), this.receiver);
  }

  ask(id: unknown, method: string, params?: unknown): void {
    this.say({ jsonrpc: "2.0", id, method, params });
  }

  tell(method: string, params?: unknown): void {
    this.say({ jsonrpc: "2.0", method, params });
  }

  answer(id: unknown, result: unknown): void {
    this.say({ jsonrpc: "2.0", id, result });
  }

  /** Returns the next message that has not been read yet. */
  async next(): Promise<Wire> {
    while (this.received.length <= this.#next) {
      await new Promise<void>((resolve) => this.#awaited.push(resolve));
    }
    return this.received[this.#next++];
  }

  /** Sends a request and returns its response. */
  async call(id: unknown, method: string, params?: unknown): Promise<Wire> {
    this.ask(id, method, params);
    return this.next();
  }

  /** Returns all messages since the last read, once no more are arriving. */
  async rest(): Promise<Wire[]> {
    await settled();
    const rest = this.received.slice(this.#next);
    this.#next = this.received.length;
    return rest;
  }
}

/** Waits until everything that needs neither a timer nor input has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
