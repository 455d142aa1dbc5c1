import {
  type EventStore as NativeStore,
  formatEventId,
  parseEventId,
  type StoredEvent,
} from "@mcp-codegen/runtime/http/server";
import type { JSONRPCMessage } from "../shared/index.js";

/** Id of a stream. */
export type StreamId = string;
/** Id of an event. */
export type EventId = string;

/** An event store with the official SDK's interface. */
export interface EventStore {
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  replayEventsAfter(
    lastEventId: EventId,
    target: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}

/** The message that represents an event without data. */
const PLACE = {} as JSONRPCMessage;

/**
 * Implements the runtime's event store for one session, using a store with the SDK's interface. Clients receive the ids
 * that this store assigns, which are mapped to the runtime's ids for the lifetime of the session.
 */
export class AdaptedEventStore implements NativeStore {
  readonly #store: EventStore;
  readonly #ids = new Map<string, Promise<EventId>>();
  readonly #natives = new Map<EventId, string>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  async append(session: string, stream: string, { index, data }: StoredEvent): Promise<void> {
    const native = formatEventId(stream, index);
    const message = data === "" ? PLACE : (JSON.parse(data) as JSONRPCMessage);
    const stored = this.#store.storeEvent(`${session}:${stream}`, message);
    this.#ids.set(native, stored);
    this.#natives.set(await stored, native);
  }

  async after(
    _session: string,
    stream: string,
    index: number,
  ): Promise<readonly StoredEvent[] | undefined> {
    const last = await this.idOf(formatEventId(stream, index));
    if (last === undefined) return undefined;
    const events: StoredEvent[] = [];
    await this.#store.replayEventsAfter(last, {
      send: async (id, message) => {
        const at = parseEventId(this.nativeOf(id) ?? "")?.index ?? index + events.length + 1;
        events.push({ index: at, data: "jsonrpc" in message ? JSON.stringify(message) : "" });
      },
    });
    return events;
  }

  drop(): void {
    this.#ids.clear();
    this.#natives.clear();
  }

  async idOf(native: string): Promise<EventId | undefined> {
    return this.#ids.get(native)?.catch(() => undefined);
  }

  nativeOf(id: EventId): string | undefined {
    return this.#natives.get(id);
  }
}
