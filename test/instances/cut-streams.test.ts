import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EventReader, RawClient, tool } from "../http/server/serve.js";
import { noRedis } from "../support/redis-server.js";
import { type CountingInstances, startCountingInstances } from "./support/counting-instances.js";

describe.skipIf(noRedis)(
  "a stream whose client is disconnected and reconnects to another instance",
  () => {
    let instances: CountingInstances;

    beforeAll(async () => {
      instances = await startCountingInstances();
    }, 60_000);
    afterAll(() => instances.stop());

    it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
      "delivers each of 1,000 events once and in order, although it breaks 20 times, at %s (RSM-04, RSM-05)",
      async (revision) => {
        const { balancer } = instances;
        const { url } = balancer;
        const fetched = (init?: RequestInit) => fetch(url, init);
        const client = new RawClient({
          name: "",
          url,
          handler: undefined as never,
          fetch: fetched,
        });
        await client.initialize(revision);
        const call = tool(7, "count", { events: 1000, pause: 15 });
        let abort = new AbortController();
        let reader = new EventReader(await client.post(call, {}, { signal: abort.signal }));
        const notified: number[] = [];
        let answer: unknown;
        let cuts = 0;
        for (let last = ""; answer === undefined;) {
          const event = await reader.next();
          if (event === undefined)
            throw new Error(`the stream ended after ${notified.length} events`);
          last = event.id ?? last;
          if (!event.data) continue;
          const { method, params, result } = JSON.parse(event.data);
          if (method === undefined) answer = result;
          else notified.push(params.data);
          if (cuts === 20 || notified.length < (cuts + 1) * 45 || answer !== undefined) continue;
          cuts += 1;
          abort.abort();
          abort = new AbortController();
          const again = await client.get({ "Last-Event-ID": last }, { signal: abort.signal });
          expect(again.status).toBe(200);
          reader = new EventReader(again);
        }
        expect(cuts).toBe(20);
        expect(notified).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
        expect(answer).toMatchObject({ content: [{ text: "counted 1000" }] });
        await client.delete();
      },
      60_000,
    );
  },
);
