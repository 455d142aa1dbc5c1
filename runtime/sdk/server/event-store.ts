import type { EventStore as NativeStore, StoredEvent } from "@mcp-codegen/runtime/http/server";
import type { JSONRPCMessage } from "../shared/index.js";

/** Id of a stream. */
export type StreamId = string;
/** Id of an event. */
export type EventId = string;

/** Event store with the interface of the official SDK. */
export interface EventStore {
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  replayEventsAfter(
    lastEventId: EventId,
    target: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}

/** Placeholder message for an event without data. */
const PLACE = {} as JSONRPCMessage;

/** Runtime event store on top of one with the SDK's interface; it maps streams for the lifetime of this process. */
export class AdaptedEventStore implements NativeStore {
  readonly #store: EventStore;
  /** Ids of the events of a stream, by session and stream. */
  readonly #ids = new Map<string, Map<string, Promise<EventId>[]>>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  async append(session: string, stream: string, { data }: StoredEvent): Promise<void> {
    const streams = this.#ids.get(session) ?? new Map<string, Promise<EventId>[]>();
    this.#ids.set(session, streams);
    const ids = streams.get(stream) ?? [];
    streams.set(stream, ids);
    const message = data === "" ? PLACE : (JSON.parse(data) as JSONRPCMessage);
    const stored = this.#store.storeEvent(`${session}:${stream}`, message);
    ids.push(stored);
    await stored;
  }

  async after(
    session: string,
    stream: string,
    index: number,
  ): Promise<readonly StoredEvent[] | undefined> {
    const id = this.#ids.get(session)?.get(stream)?.[index - 1];
    if (id === undefined) return undefined;
    const events: StoredEvent[] = [];
    await this.#store.replayEventsAfter(await id, {
      send: async (_id, message) => {
        const isPlace = !("jsonrpc" in message);
        const data = isPlace ? "" : JSON.stringify(message);
        events.push({ index: index + events.length + 1, data });
      },
    });
    return events;
  }

  drop(session: string): void {
    this.#ids.delete(session);
  }
}
