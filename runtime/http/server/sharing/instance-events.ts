import { INTERNAL_ERROR, type RequestId } from "../../../wire/index.js";
import type { StoredEvent } from "../event-store.js";
import type { Post } from "../post.js";
import type { SharedEvents } from "../session-sharing.js";
import type { StoreAccess } from "./store-access.js";
import type { StreamStore, StreamWriter } from "./stores.js";

/** Stream that this instance writes. */
interface OpenStream {
  readonly session: string;
  readonly stream: string;
  readonly writer: StreamWriter;
}

/** Events of the streams that this instance writes. */
export class InstanceEvents implements SharedEvents {
  readonly isShared = true;
  readonly #store: StreamStore;
  readonly #instance: string;
  readonly #access: StoreAccess;
  /** Streams that are not over, by session and stream. */
  readonly #open = new Map<string, OpenStream>();
  /** Events that the store does not have yet. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Ends of streams that the store has yet to take. */
  readonly #owed = new Map<string, () => Promise<unknown>>();

  constructor(store: StreamStore, instance: string, access: StoreAccess) {
    this.#store = store;
    this.#instance = instance;
    this.#access = access;
  }

  open(session: string, stream: string, { ids, isBatch }: Post): void {
    const writer: StreamWriter = { instance: this.#instance, requests: ids, isBatch };
    this.#open.set(`${session} ${stream}`, { session, stream, writer });
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

  end(session: string, stream: string, last: number): void {
    this.#owe(session, stream, async ({ writer }) => {
      const isOver = await this.#store.end(session, stream, last);
      if (!isOver) await this.#store.settle(session, stream, goneAnswer(writer));
    });
  }

  abandon(session: string, stream: string): void {
    this.#owe(session, stream, ({ writer }) =>
      this.#store.settle(session, stream, goneAnswer(writer)),
    );
  }

  /** Has nothing to do: streams end with their session. */
  drop(): void {}

  /** Says that the streams which are open are still written: some handlers are silent for long. */
  async renew(): Promise<void> {
    const opening = [...this.#open.values()].map(({ session, stream, writer }) =>
      this.#access.quietly(this.#store.open(session, stream, writer)),
    );
    await Promise.all(opening);
  }

  /** Waits until the store has everything. */
  async finish(): Promise<void> {
    await this.settle();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Ends streams whose end the store could not take before. */
  async settle(): Promise<void> {
    await Promise.all([...this.#owed].map(([key, end]) => this.#end(key, end)));
  }

  #owe(session: string, stream: string, end: (open: OpenStream) => Promise<unknown>): void {
    const key = `${session} ${stream}`;
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const owed = (): Promise<unknown> => end(open);
    this.#owed.set(key, owed);
    void this.#end(key, owed);
  }

  async #end(key: string, end: () => Promise<unknown>): Promise<void> {
    const isDone = await this.#access.quietly(end().then(() => true));
    if (isDone) this.#owed.delete(key);
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
