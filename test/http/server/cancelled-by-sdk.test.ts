import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it, onTestFinished } from "vitest";
import { createHttpHandler } from "../../../runtime/http/server/index.js";
import { overNode } from "./serve.js";
import { ToyServer } from "./toy-server.js";

it("the official client stops resuming when the server refuses a stream that the client cancelled (H16, HTTP-18)", async () => {
  const toy = new ToyServer();
  const options = { retry: 30, upgradeAfter: 20, onerror: () => {} };
  const { url } = await overNode(createHttpHandler(toy.server, options));
  const statuses: number[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    reconnectionOptions: {
      initialReconnectionDelay: 30,
      maxReconnectionDelay: 30,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 2,
    },
    fetch: async (given, init) => {
      const response = await fetch(given, init);
      const isResuming = new Headers(init?.headers).has("last-event-id");
      if (isResuming) statuses.push(response.status);
      return response;
    },
  });
  const client = new Client({ name: "official", version: "1" });
  Object.assign(client, { onerror: () => {} });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  const abort = new AbortController();
  const called = client.callTool({ name: "log-and-wait" }, undefined, { signal: abort.signal });
  called.catch(() => {});
  await expect.poll(() => toy.called).toEqual(["log-and-wait"]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  abort.abort();
  await expect(called).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(statuses.length).toBeLessThanOrEqual(3);
  expect(statuses.filter((status) => status !== 400)).toEqual([]);
  expect(await client.ping()).toEqual({});
});
