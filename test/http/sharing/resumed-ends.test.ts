import { describe, expect, it } from "vitest";
import { memoryStores } from "@mcp-codegen/testing/stores";
import type { SharedStores, StreamStore } from "../../../runtime/http/server/sharing/index.js";
import type { EventStore, StoredEvent } from "../../../runtime/http/server/index.js";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";
import { EventReader, overWeb, serve, tool, type Wire } from "../server/serve.js";
import { ToyServer } from "../server/toy-server.js";
import { instances, RoamingClient, Shared } from "./support/instances.js";

const progressing = { progressToken: "p" };

/** A store's operations, in call order. While they are held, each waits before and after its work. */
class Steps {
  readonly #waiting: (() => void)[] = [];
  isHolding = false;

  async run<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    await this.#pause();
    const value = await work();
    await this.#pause();
    return value;
  }

  /** The number of waiting steps. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Continues one of the waiting steps. */
  go(which: "oldest" | "newest"): void {
    (which === "oldest" ? this.#waiting.shift() : this.#waiting.pop())?.();
  }

  #pause(): Promise<void> | undefined {
    if (!this.isHolding) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Creates stores whose stream operations are steps. A writer's operations keep their order. */
function steppedStores(steps: Steps): SharedStores {
  const stores = memoryStores();
  const { streams } = stores;
  let before: Promise<unknown> = Promise.resolve();
  const inOrder = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = before.then(() => steps.run(work));
    before = done.catch(() => {});
    return done;
  };
  const stepped: StreamStore = {
    open: (...given) => streams.open(...given),
    push: (...given) => streams.push(...given),
    watch: (...given) => streams.watch(...given),
    settle: (...given) => inOrder(() => streams.settle(...given)),
    append: (...given) => inOrder(() => streams.append(...given)),
    end: (...given) => inOrder(() => streams.end(...given)),
    read: (...given) => steps.run(() => streams.read(...given)),
  };
  return { ...stores, streams: stepped };
}

/** Creates the event store of a single instance, whose operations are steps. */
function steppedEvents(steps: Steps): EventStore {
  const events = new MemoryEventStore();
  let before: Promise<unknown> = Promise.resolve();
  return {
    append(session: string, stream: string, event: StoredEvent) {
      before = before.then(() => steps.run(() => events.append(session, stream, event)));
      return before;
    },
    after: (...given) => steps.run(() => events.after(...given)),
    drop: (session) => events.drop(session),
  };
}

/** Resolves once everything that can happen without another step has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

/** A stream whose client has received its progress and then lost the connection. */
interface Broken {
  /** Resumes the stream after the progress. */
  resume(): Promise<Response>;
  /** Lets the handler return, so that the stream ends. */
  finish(): void;
}

async function sharedAt(steps: Steps, instance: number): Promise<Broken> {
  const all = instances(2, { shared: new Shared(steppedStores(steps)), timeout: 60_000 });
  const client = await new RoamingClient(all).open("2025-11-25");
  const first = new EventReader(await client.at(0).post(tool(9, "wait", {}, progressing)));
  await first.next();
  const { id } = (await first.next())!;
  await first.cancel();
  return {
    resume: () => client.at(instance).get({ "Last-Event-ID": id! }),
    finish: () => all[0]!.gate.open(),
  };
}

async function alone(steps: Steps): Promise<Broken> {
  const toy = new ToyServer();
  const client = await serve(toy.server, { eventStore: steppedEvents(steps) }, overWeb);
  await client.initialize("2025-11-25");
  const first = new EventReader(await client.post(tool(9, "log-and-wait")));
  await first.next();
  const { id } = (await first.next())!;
  await first.cancel();
  return {
    resume: () => client.get({ "Last-Event-ID": id! }),
    finish: () => toy.gate.open(),
  };
}

const places = [
  ["at the instance that handles it", (steps: Steps) => sharedAt(steps, 0)],
  ["at another instance", (steps: Steps) => sharedAt(steps, 1)],
  ["with a slow store of one instance", alone],
] as const;

/**
 * The orders to test: whether the end or the resumption comes first, how many steps (up to five) the store continues
 * between them, and whether the oldest or the newest waiting step continues first.
 */
const orders = [0, 1, 2, 3, 4, 5].flatMap((steps) =>
  (["oldest", "newest"] as const).flatMap((which) =>
    (["end first", "resumption first"] as const).map((start) => ({ steps, which, start })),
  ),
);

describe.each(places)("a stream that is resumed while it ends, %s", (_place, broken) => {
  it.each(orders)(
    "delivers its response once: $start, the other after $steps steps, the $which first (RSM-04, RSM-05)",
    async ({ steps: between, which, start }) => {
      const steps = new Steps();
      const stream = await broken(steps);
      steps.isHolding = true;
      let resuming: Promise<Response> | undefined;
      const actions = [stream.finish, () => void (resuming = stream.resume())];
      if (start === "resumption first") actions.reverse();
      actions[0]!();
      await settle();
      for (let count = 0; count < between; count++) {
        steps.go(which);
        await settle();
      }
      actions[1]!();
      await settle();
      while (steps.size > 0) {
        steps.go(which);
        await settle();
      }
      steps.isHolding = false;
      const response = (await resuming)!;
      expect(response.status).toBe(200);
      const reader = new EventReader(response);
      const messages: Wire[] = [];
      for (let one = await reader.message(); one; one = await reader.message()) messages.push(one);
      const answers = messages.filter(({ method }) => method === undefined);
      expect(answers.map(({ id, result }) => [id, typeof result])).toEqual([[9, "object"]]);
    },
  );
});
