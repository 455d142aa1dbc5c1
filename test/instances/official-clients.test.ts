import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Connect, connectV1, connectV2 } from "../peers/support/official-clients.js";
import { noRedis } from "../support/redis-server.js";
import { type CountingInstances, startCountingInstances } from "./support/counting-instances.js";

const CLIENTS: readonly [string, Connect][] = [
  ["1.x", connectV1],
  ["2.x", connectV2],
];

describe.skipIf(noRedis).each(CLIENTS)(
  "three instances behind a balancer without stickiness, and the official client %s",
  (_version, connect) => {
    let instances: CountingInstances;

    beforeAll(async () => {
      instances = await startCountingInstances();
    }, 60_000);
    afterAll(() => instances.stop());

    async function connected() {
      const made = await connect(instances.balancer.url, "Streamable HTTP");
      onTestFinished(() => made.client.close());
      return made;
    }

    it("deliver its responses to requests, which arrive at other instances", async () => {
      const { client } = await connected();
      for (let count = 0; count < 4; count++) {
        const { content } = await client.callTool({ name: "ask-all" });
        expect(content[0]!.text).toMatch(/^accept .*4.* 1$/);
      }
    });

    it("report progress in order", async () => {
      const { client } = await connected();
      const steps: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void steps.push(progress);
      const { content } = await client.callTool({ name: "report" }, { onprogress });
      expect(content[0]!.text).toBe("reported");
      expect(steps).toEqual([1, 2, 3, 4, 5]);
    });

    it("notify it of each change once, at whichever instance the change occurs", async () => {
      const { client, received } = await connected();
      await client.subscribeResource({ uri: "news:///all" });
      await sleep(300);
      const ids = ["a", "b", "c", "d", "e", "f"].map((id) => `all/${id}${Math.random()}`);
      for (const id of ids) await client.callTool({ name: "tell", arguments: { id } });
      await client.callTool({ name: "change", arguments: { id: `${Math.random()}` } });
      const of = (method: string) => received.filter((one) => one.method === method);
      const updated = "notifications/resources/updated";
      await expect.poll(() => of(updated).length).toBe(ids.length);
      await expect.poll(() => of("notifications/tools/list_changed").length).toBe(1);
      await sleep(300);
      const uris = of(updated).map(({ params }) => (params as { uri: string }).uri);
      expect(uris.toSorted()).toEqual(ids.map((id) => `news:///${id}`).toSorted());
      expect(of("notifications/tools/list_changed")).toHaveLength(1);
    });

    it("let it reconnect to another instance, whenever its connections break", async () => {
      const { client, received } = await connected();
      const calling = client.callTool({
        name: "count",
        arguments: { events: 60, pause: 500 },
      });
      for (let cuts = 0; cuts < 4; cuts++) {
        await sleep(500);
        expect(instances.balancer.cut()).toBeGreaterThan(0);
      }
      expect((await calling).content[0]!.text).toBe("counted 60");
      const notified = received.filter(({ method }) => method === "notifications/message");
      const numbers = notified.map(({ params }) => (params as { data: number }).data);
      expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    });
  },
);
