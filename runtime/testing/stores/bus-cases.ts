import type { Bus, BusEvent } from "@mcp-codegen/runtime";
import { type StoreCase, becomes, casesOf, equal, newId, numbers, pause } from "./store-case.js";

const METHOD = "notifications/resources/updated";

function receivedBy(bus: Bus, uri: string): { readonly events: BusEvent[]; stop(): void } {
  const events: BusEvent[] = [];
  const stop = bus.subscribe((each) => {
    if ((each.params as { uri: string }).uri === uri) events.push(each);
  });
  return { events, stop };
}

const event = (uri: string, number: number): BusEvent => ({
  method: METHOD,
  params: { uri, number },
});

const numbersIn = (events: readonly BusEvent[]): number[] =>
  events.map(({ params }) => (params as { number: number }).number);

/** The cases that every {@link Bus} must pass. */
export const busCases: readonly StoreCase<Bus>[] = casesOf({
  "delivers to the listeners of all instances, once and in order": async (make) => {
    const [one, other, uri] = [await make(), await make(), newId()];
    const [near, far] = [receivedBy(one, uri), receivedBy(other, uri)];
    await joined(one, other);
    for (const number of numbers(1, 20)) await one.publish(event(uri, number));
    const all = numbers(1, 20);
    await becomes(() => numbersIn(far.events), all, "events at the other instance");
    await becomes(() => numbersIn(near.events), all, "events at the instance that publishes");
    await pause(50);
    equal([near.events.length, far.events.length], [20, 20], "events in the end");
    near.stop();
    far.stop();
  },

  "delivers nothing to a listener that was removed": async (make) => {
    const [one, other, uri] = [await make(), await make(), newId()];
    const [gone, stays] = [receivedBy(other, uri), receivedBy(other, uri)];
    await joined(one, other);
    gone.stop();
    await one.publish(event(uri, 1));
    await becomes(() => numbersIn(stays.events), [1], "events of the listener that stays");
    equal(gone.events, [], "events of the removed listener");
    stays.stop();
  },

  "names every event, the same at all instances": async (make) => {
    const [one, other, uri] = [await make(), await make(), newId()];
    const [near, far] = [receivedBy(one, uri), receivedBy(other, uri)];
    await joined(one, other);
    for (const bus of [one, other, one]) await bus.publish(event(uri, 1));
    await becomes(() => [near.events.length, far.events.length], [3, 3], "events");
    const [names, others] = [near, far].map(({ events }) => events.map(({ id }) => String(id)));
    equal(names!.toSorted(), others!.toSorted(), "names at both instances");
    equal(new Set(names).size, 3, "different names");
    equal(names!.includes("undefined"), false, "events without a name");
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
    const [one, other, uri] = [await make(), await make(), newId()];
    const far = receivedBy(other, uri);
    await joined(one, other);
    const params = { uri, text: 'a "quote", a \u2028 line, 😀', list: [1, null, { deep: true }] };
    await one.publish({ method: METHOD, params });
    await becomes(() => far.events.map((each) => each.params), [params], "parameters");
    equal(far.events[0]?.method, METHOD, "method");
    far.stop();
  },
});

/** Waits until one bus's events arrive at the other, because subscribing may take a moment. */
async function joined(one: Bus, other: Bus): Promise<void> {
  const uri = newId();
  const { events, stop } = receivedBy(other, uri);
  const isReceived = async (): Promise<boolean> => {
    await one.publish(event(uri, 0));
    await pause(20);
    return events.length > 0;
  };
  await becomes(isReceived, true, "a subscription");
  stop();
}
