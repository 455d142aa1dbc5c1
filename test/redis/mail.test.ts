import { redis } from "@mcp-codegen/redis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { libraries } from "./clients.js";

describe.skipIf(noRedis).each(Object.entries(libraries))(
  "messages between instances, with %s",
  (_name, library) => {
    it("arrive once, even after a message whose number is far ahead", async () => {
      const server = await RedisServer.start();
      onTestFinished(() => server.stop());
      const client = await library([server.port]);
      onTestFinished(() => client.close());
      const stores = redis(client.client, { prefix: "app:" });
      onTestFinished(() => stores.close());
      const received: string[] = [];
      await stores.mail.beat("one", 20_000);
      const stop = stores.mail.receive("one", (text) => void received.push(text));
      onTestFinished(stop);
      await stores.mail.send("one", "first");
      await vi.waitFor(() => expect(received).toEqual(["first"]));

      await server.cli("zadd", "app:{one}:m", "9e18", "9000000000000000000:ahead");
      await stores.mail.send("one", "second");
      await stores.mail.send("one", "third");
      await vi.waitFor(() => expect(received).toContain("third"));
      await stores.mail.beat("one", 20_000);
      expect(received.toSorted()).toEqual(["ahead", "first", "second", "third"]);
    });
  },
);
