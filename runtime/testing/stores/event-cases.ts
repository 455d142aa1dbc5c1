import type { EventStore } from "@mcp-codegen/runtime/http/server";
import { type StoreCase, casesOf, equal, newId } from "./store-case.js";

const event = (index: number): { index: number; data: string } => ({
  index,
  data: `{"number":${index}}`,
});

/** The cases that every {@link EventStore} must pass if it has room for each case's events. */
export const eventCases: readonly StoreCase<EventStore>[] = casesOf({
  "has the events after a place, in order": async (make) => {
    const store = await make();
    const [session, stream] = [newId(), "1"];
    // Callers do not wait for earlier calls for the same stream.
    await Promise.all([1, 2, 3, 4].map((index) => store.append(session, stream, event(index))));
    equal(await store.after(session, stream, 2), [event(3), event(4)], "events after the second");
    equal(await store.after(session, stream, 0), [1, 2, 3, 4].map(event), "all events");
    equal(await store.after(session, stream, 4), [], "events after the last");
  },

  "keeps streams and sessions apart": async (make) => {
    const store = await make();
    const [one, other] = [newId(), newId()];
    await store.append(one, "1", event(1));
    await store.append(one, "2", event(1));
    await store.append(other, "1", event(1));
    await store.append(one, "2", event(2));
    equal(await store.after(one, "1", 0), [event(1)], "events of one stream");
    equal(await store.after(one, "2", 1), [event(2)], "events of another stream");
    await store.drop(one);
    equal((await store.after(one, "1", 0)) ?? [], [], "events of a session that is over");
    equal(await store.after(other, "1", 0), [event(1)], "events of another session");
    await store.drop(other);
  },

  "does not know places that never were": async (make) => {
    const store = await make();
    const session = newId();
    await store.append(session, "1", event(1));
    equal(await store.after(session, "1", 7), undefined, "a place after the end");
    await store.drop(session);
  },
});
