import type { Bus, BusEvent } from "@mcp-codegen/runtime";
import { type StoreCase, becomes, casesOf, equal, newId, pause } from "./store-case.js";

const METHOD = "notifications/resources/updated";

/** Events with a certain URI that a bus delivers, because others may use the same bus. */
function receivedBy(bus: Bus, uri: string): { readonly events: number[]; stop(): void } {
  const events: number[] = [];
  const stop = bus.subscribe(({ params }) => {
    const { uri: received, number } = params as { uri: string; number: number };
    if (received === uri) events.push(number);
  });
  return { events, stop };
}

const event = (uri: string, number: number): BusEvent => ({
  method: METHOD,
  params: { uri, number },
});

/** Cases of a {@link Bus}. */
export const busCases: readonly StoreCase<Bus>[] = casesOf({
  "delivers to the listeners of all instances, once and in order": async (make) => {
    const [one, other] = [await make(), await make()];
    const uri = newId();
    const near = receivedBy(one, uri);
    const far = receivedBy(other, uri);
    await joined(one, other);
    for (let number = 1; number <= 20; number++) await one.publish(event(uri, number));
    const all = Array.from({ length: 20 }, (_, index) => index + 1);
    await becomes(() => far.events, all, "events at the other instance");
    await becomes(() => near.events, all, "events at the instance that publishes");
    await pause(50);
    equal([near.events.length, far.events.length], [20, 20], "events in the end");
    near.stop();
    far.stop();
  },

  "delivers nothing to a listener that was removed": async (make) => {
    const [one, other] = [await make(), await make()];
    const uri = newId();
    const gone = receivedBy(other, uri);
    const stays = receivedBy(other, uri);
    await joined(one, other);
    gone.stop();
    await one.publish(event(uri, 1));
    await becomes(() => stays.events, [1], "events of the listener that stays");
    equal(gone.events, [], "events of the removed listener");
    stays.stop();
  },

  "names every event, the same at all instances": async (make) => {
    const [one, other] = [await make(), await make()];
    const uri = newId();
    const [near, far] = [namesOf(one, uri), namesOf(other, uri)];
    await joined(one, other);
    for (const bus of [one, other, one]) await bus.publish(event(uri, 1));
    await becomes(() => [near.names.length, far.names.length], [3, 3], "events");
    equal(near.names.toSorted(), far.names.toSorted(), "names at both instances");
    equal(new Set(near.names).size, 3, "different names");
    equal(near.names.includes("undefined"), false, "events without a name");
    near.stop();
    far.stop();
  },

  "returns recent events, if it keeps them": async (make) => {
    const [one, other] = [await make(), await make()];
    if (other.recent === undefined) return;
    const uri = newId();
    await one.publish(event(uri, 1));
    await one.publish(event(uri, 2));
    const urisIn = async (within: number): Promise<number> => {
      const events = (await other.recent!(within)) as readonly { params: { uri: string } }[];
      return events.filter(({ params }) => params.uri === uri).length;
    };
    equal(await urisIn(20_000), 2, "recent events");
    await pause(60);
    equal(await urisIn(30), 0, "events of 30 ms, after 60");
  },

  "delivers an event unchanged": async (make) => {
    const [one, other] = [await make(), await make()];
    const uri = newId();
    const events: BusEvent[] = [];
    const stop = other.subscribe((each) => {
      if ((each.params as { uri: string }).uri === uri) events.push(each);
    });
    await joined(one, other);
    const params = { uri, text: 'a "quote", a \u2028 line, 😀', list: [1, null, { deep: true }] };
    await one.publish({ method: METHOD, params });
    await becomes(() => events.map((each) => each.params), [params], "parameters");
    equal(events[0]?.method, METHOD, "method");
    stop();
  },
});

/** Names of the events with a certain URI that a bus delivers. */
function namesOf(bus: Bus, uri: string): { readonly names: string[]; stop(): void } {
  const names: string[] = [];
  const stop = bus.subscribe(({ params, id }) => {
    if ((params as { uri: string }).uri === uri) names.push(String(id));
  });
  return { names, stop };
}

/** Waits until events that one bus publishes arrive at the other: subscriptions may take a moment. */
async function joined(one: Bus, other: Bus): Promise<void> {
  const uri = newId();
  const received = receivedBy(other, uri);
  await becomes(
    async () => {
      await one.publish(event(uri, 0));
      await pause(20);
      return received.events.length > 0;
    },
    true,
    "a subscription",
  );
  received.stop();
}
