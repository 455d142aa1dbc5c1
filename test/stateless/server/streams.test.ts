import { Server, type ServerContext } from "@mcp-codegen/2026-07-28";
import { Tools } from "@mcp-codegen/2026-07-28/features";
import { describe, expect, it } from "vitest";
import type { Reply, StatelessRequests } from "../../../runtime/engine/index.js";
import type { Auth, Message } from "../../../runtime/wire/index.js";
import { settled, type Wire } from "../../engine/support/raw-peer.js";
import { envelope, META, tagOf } from "./support/raw-client.js";

const info = { name: "test", version: "1" };

/** The way back for one request. */
class Stream implements Reply {
  readonly hasOwnStream = true;
  readonly connection = {};
  readonly sent: Wire[] = [];
  cancellations = 0;

  respond(answer: Message): void {
    this.sent.push(JSON.parse(JSON.stringify(answer)) as Wire);
  }

  send(message: Message): undefined {
    this.respond(message);
  }

  cancelled(): void {
    this.cancellations += 1;
  }
}

/** Many clients of one server, with a stream for each request. */
class Streams {
  readonly all: Stream[] = [];
  readonly #requests: StatelessRequests;

  private constructor(requests: StatelessRequests) {
    this.#requests = requests;
  }

  static async of(server: Server): Promise<Streams> {
    await server.loadStateless();
    return new Streams(server.statelessRequests());
  }

  get received(): Wire[] {
    return this.all.flatMap(({ sent }) => sent);
  }

  /** Passes on a client's request. */
  post(id: string | number, method: string, params: object = {}, auth?: Auth): Stream {
    const message = {
      jsonrpc: "2.0",
      id,
      method,
      params: { ...params, _meta: envelope() },
    } as const;
    const stream = new Stream();
    this.all.push(stream);
    this.#requests.handle(message, "2026-07-28", stream, { auth });
    return stream;
  }

  tell(method: string, params: object): void {
    this.#requests.react({ jsonrpc: "2.0", method, params }, undefined, {});
  }

  leave(stream: Stream): void {
    this.#requests.cancel(stream);
  }
}

describe("clients of one server, with a stream for each request", () => {
  it("name subscriptions themselves, each on its own stream (LIST-04)", async () => {
    const tools = new Tools();
    const streams = await Streams.of(new Server(info, {}, { features: [tools] }));
    const filter = { notifications: { toolsListChanged: true } };
    const both = [1, 2].map(() => streams.post("same", "subscriptions/listen", filter));
    await settled();
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    await settled();
    for (const { sent } of both) expect(sent.map(tagOf)).toEqual(["same", "same"]);
  });

  it("receive the result of a subscription at the end, without a cancellation (LIST-10, GAP-02)", async () => {
    const server = new Server(info, {}, { features: [new Tools()] });
    const streams = await Streams.of(server);
    const filter = { notifications: { toolsListChanged: true } };
    const { sent } = streams.post("a", "subscriptions/listen", filter);
    await settled();
    await server.close();
    expect(sent.slice(1)).toEqual([
      {
        jsonrpc: "2.0",
        id: "a",
        result: {
          resultType: "complete",
          _meta: { [META.subscription]: "a", [META.serverInfo]: info },
        },
      },
    ]);
  });

  it("end a request by disconnecting, and receive nothing more (CANC-11, SHTTP-19)", async () => {
    const aborted: unknown[] = [];
    const tools = new Tools();
    const hangs = (_args: unknown, { signal, id }: ServerContext) =>
      new Promise<never>(() => signal.addEventListener("abort", () => aborted.push(id)));
    tools.add({ name: "hang", inputSchema: { type: "object" } }, hangs);
    const streams = await Streams.of(new Server(info, {}, { features: [tools] }));
    const call = streams.post("x", "tools/call", { name: "hang" });
    const filter = { notifications: { toolsListChanged: true } };
    const subscription = streams.post("x", "subscriptions/listen", filter);
    await settled();
    const before = streams.received.length;
    streams.leave(call);
    streams.leave(subscription);
    streams.leave(subscription);
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    await settled();
    expect(streams.received).toHaveLength(before);
    expect(aborted).toEqual(["x"]);
    expect([call, subscription].map(({ cancellations }) => cancellations)).toEqual([1, 1]);
  });

  it("cannot cancel by id, which could name a request of another client (CANC-11)", async () => {
    const server = new Server(info, { "tools/call": () => new Promise<never>(() => {}) });
    const streams = await Streams.of(server);
    const { cancellations } = streams.post(7, "tools/call", { name: "t" });
    streams.tell("notifications/cancelled", { requestId: 7 });
    await settled();
    expect(cancellations).toBe(0);
  });

  it("are known to handlers by id and identity", async () => {
    const seen: unknown[] = [];
    const handlers = {
      "tools/call": (_params: unknown, { id, auth }: ServerContext) => {
        seen.push([id, auth?.principal]);
        return { content: [] };
      },
    };
    const streams = await Streams.of(new Server(info, handlers));
    const first = streams.post("a", "tools/call", { name: "t" }, { principal: "alice" });
    const second = streams.post("a", "tools/call", { name: "t" }, { principal: "bob" });
    expect(seen).toEqual([
      ["a", "alice"],
      ["a", "bob"],
    ]);
    expect([first, second].map(({ sent }) => sent.map(({ id }) => id))).toEqual([["a"], ["a"]]);
  });

  it("share one limit of subscriptions", async () => {
    const limits = { subscriptions: 1, allSubscriptions: 3 };
    const streams = await Streams.of(new Server(info, {}, { features: [new Tools()], limits }));
    for (const id of [1, 2, 3, 4]) streams.post(id, "subscriptions/listen", { notifications: {} });
    await settled();
    const notifications = streams.received;
    expect(notifications.filter(({ method }) => method !== undefined)).toHaveLength(3);
    expect(notifications.filter(({ error }) => error?.code === -32603).map(({ id }) => id)).toEqual(
      [4],
    );
  });
});
