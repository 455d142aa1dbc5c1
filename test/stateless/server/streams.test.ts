import { Server, type ServerContext } from "@mcp-codegen/2026-07-28";
import { Tools } from "@mcp-codegen/2026-07-28/features";
import { describe, expect, it } from "vitest";
import type { Origin } from "../../../runtime/wire/origin.js";
import { RawPeer, type Wire } from "../../runtime/support/raw-peer.js";
import { envelope, META, tagOf } from "./support/raw-client.js";

const info = { name: "test", version: "1" };

/** Many clients on one connection: requests have keys of its own, and streams. */
class Streams extends RawPeer {
  readonly hasStreams = true;
  readonly unansweredKeys: unknown[] = [];

  unanswered(key: unknown): void {
    this.unansweredKeys.push(key);
  }

  /** A request of a client, under a key of the transport's. */
  post(key: number, id: string | number, method: string, params: object = {}, auth?: Wire): void {
    const message = { jsonrpc: "2.0", id: key, method, params: { ...params, _meta: envelope() } };
    const origin: Origin = { id, auth };
    this.receiver.message(message, origin);
  }

  /** Messages on the stream of a request. */
  streamOf(key: number): Wire[] {
    return this.received.filter(
      (message, index) => message.id === key || this.related[index] === key,
    );
  }
}

async function connected(server: Server): Promise<Streams> {
  const streams = new Streams();
  await server.connect(streams);
  return streams;
}

describe("clients that share a connection, with a stream for each request", () => {
  it("name subscriptions themselves, each on its own stream (LIST-04)", async () => {
    const tools = new Tools();
    const streams = await connected(new Server(info, {}, { features: [tools] }));
    const filter = { notifications: { toolsListChanged: true } };
    streams.post(1, "same", "subscriptions/listen", filter);
    streams.post(2, "same", "subscriptions/listen", filter);
    await streams.rest();
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    await streams.rest();
    for (const key of [1, 2]) {
      const tags = streams.streamOf(key).map(tagOf);
      expect(tags).toEqual(["same", "same"]);
    }
  });

  it("have subscriptions answered at the end, without a cancellation (LIST-10, GAP-02)", async () => {
    const server = new Server(info, {}, { features: [new Tools()] });
    const streams = await connected(server);
    streams.post(1, "a", "subscriptions/listen", { notifications: { toolsListChanged: true } });
    await streams.rest();
    await server.close();
    const news = await streams.rest();
    expect(news).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "complete",
          _meta: { [META.subscription]: "a", [META.serverInfo]: info },
        },
      },
    ]);
  });

  it("end a request by leaving, and receive nothing more (CANC-11, SHTTP-19)", async () => {
    const aborted: unknown[] = [];
    const tools = new Tools();
    const hangs = (_args: unknown, { signal, id }: ServerContext) =>
      new Promise<never>(() => signal.addEventListener("abort", () => aborted.push(id)));
    tools.add({ name: "hang", inputSchema: { type: "object" } }, hangs);
    const streams = await connected(new Server(info, {}, { features: [tools] }));
    streams.post(1, "x", "tools/call", { name: "hang" });
    streams.post(2, "x", "subscriptions/listen", { notifications: { toolsListChanged: true } });
    await streams.rest();
    streams.receiver.abandoned(1);
    streams.receiver.abandoned(2);
    streams.receiver.abandoned(2);
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    expect(await streams.rest()).toEqual([]);
    expect(aborted).toEqual(["x"]);
    expect(streams.unansweredKeys).toEqual([1, 2]);
  });

  it("cannot cancel by id, which could name a request of another client (CANC-11)", async () => {
    const server = new Server(info, { "tools/call": () => new Promise<never>(() => {}) });
    const streams = await connected(server);
    streams.post(1, 7, "tools/call", { name: "t" });
    for (const requestId of [1, 7]) streams.tell("notifications/cancelled", { requestId });
    await streams.rest();
    expect(streams.unansweredKeys).toEqual([]);
  });

  it("are known to handlers by id and identity", async () => {
    const seen: unknown[] = [];
    const handlers = {
      "tools/call": (_params: unknown, { id, auth }: ServerContext) => {
        seen.push([id, auth?.principal]);
        return { content: [] };
      },
    };
    const streams = await connected(new Server(info, handlers));
    streams.post(1, "a", "tools/call", { name: "t" }, { principal: "alice" });
    streams.post(2, "a", "tools/call", { name: "t" }, { principal: "bob" });
    expect(seen).toEqual([
      ["a", "alice"],
      ["a", "bob"],
    ]);
    expect((await streams.rest()).map(({ id }) => id)).toEqual([1, 2]);
  });

  it("share one limit of subscriptions", async () => {
    const limits = { subscriptions: 1, allSubscriptions: 3 };
    const streams = await connected(new Server(info, {}, { features: [new Tools()], limits }));
    for (const key of [1, 2, 3, 4]) {
      streams.post(key, "s", "subscriptions/listen", { notifications: {} });
    }
    const news = await streams.rest();
    expect(news.filter(({ method }) => method !== undefined)).toHaveLength(3);
    expect(news.filter(({ error }) => error?.code === -32603).map(({ id }) => id)).toEqual([4]);
  });
});
