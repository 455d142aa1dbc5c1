import { INTERNAL_ERROR, type RequestId } from "../../../wire/index.js";
import type { StoredEvent } from "../event-store.js";
import type { Post } from "../post.js";
import type { SharedEvents } from "../session-sharing.js";
import type { StoreAccess } from "./store-access.js";
import type { StreamStore, StreamWriter } from "./stores.js";

/** Events of the streams that this instance writes. */
export class InstanceEvents implements SharedEvents {
  readonly isShared = true;
  readonly #store: StreamStore;
  readonly #instance: string;
  readonly #access: StoreAccess;
  /** Writers of the streams that are not over, by session and stream. */
  readonly #open = new Map<string, StreamWriter>();
  /** Events that the store does not have yet. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Streams whose clients have yet to get the error that ends them. */
  readonly #owed = new Map<string, { session: string; stream: string; text: string }>();

  constructor(store: StreamStore, instance: string, access: StoreAccess) {
    this.#store = store;
    this.#instance = instance;
    this.#access = access;
  }

  open(session: string, stream: string, { ids, isBatch }: Post): void {
    const writer: StreamWriter = { instance: this.#instance, requests: ids, isBatch };
    this.#open.set(`${session} ${stream}`, writer);
    void this.#access.quietly(this.#store.open(session, stream, writer));
  }

  async append(session: string, stream: string, event: StoredEvent): Promise<boolean> {
    const adding = this.#access.quietly(this.#store.append(session, stream, event));
    this.#underWay.add(adding);
    const isAdded = (await adding) ?? false;
    this.#underWay.delete(adding);
    return isAdded;
  }

  async after(
    session: string,
    stream: string,
    index: number,
  ): Promise<readonly StoredEvent[] | undefined> {
    const reading = await this.#access.to(this.#store.read(session, stream, index));
    return reading?.events;
  }

  end(session: string, stream: string): void {
    this.#open.delete(`${session} ${stream}`);
    void this.#access.quietly(this.#store.end(session, stream));
  }

  abandon(session: string, stream: string): void {
    const key = `${session} ${stream}`;
    const writer = this.#open.get(key);
    if (writer === undefined) return;
    this.#open.delete(key);
    this.#owed.set(key, { session, stream, text: goneAnswer(writer) });
    void this.settle();
  }

  /** Has nothing to do: streams end with their session. */
  drop(): void {}

  /** Waits until the store has everything. */
  async finish(): Promise<void> {
    await this.settle();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Ends the streams that were given up; those that the store cannot take now are tried again later. */
  async settle(): Promise<void> {
    const settling = [...this.#owed].map(async ([key, { session, stream, text }]) => {
      const isSettled = await this.#access.quietly(this.#store.settle(session, stream, text));
      if (isSettled !== undefined) this.#owed.delete(key);
    });
    await Promise.all(settling);
  }
}

/** Answer to the requests of a stream whose writer will not answer them. */
export function goneAnswer({ requests, isBatch }: StreamWriter): string {
  const answers = requests.map(goneError);
  return JSON.stringify(isBatch ? answers : answers[0]);
}

function goneError(id: RequestId): object {
  const message = "Internal error: the instance that worked on this request is gone";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
