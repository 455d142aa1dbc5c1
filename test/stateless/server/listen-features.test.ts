import { revision, Server } from "@mcp-codegen/2026-07-28";
import { afterEach, describe, expect, it } from "vitest";
import { RpcError } from "../../../runtime/wire/errors.js";
import type { Feature, Filter, Listening } from "../../../runtime/api/feature.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { deferred } from "../../engine/support/tiny-endpoints.js";
import { RawClient, type Wire } from "./support/raw-client.js";

const info = { name: "test", version: "1" };
const ALL = { toolsListChanged: true, promptsListChanged: true };
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

let client: RawClient;
let errors: Error[];

afterEach(() => {
  expect(client.problems).toEqual([]);
});

type Listen = (
  filter: Filter,
  context: HandlerContext,
) => Promise<Listening> | Listening | undefined;

async function serve(...listens: Listen[]): Promise<void> {
  errors = [];
  const features = listens.map((listen): Feature => ({ handlers: {}, listen }));
  const handlers = { "tools/list": () => ({ tools: [] }), "prompts/list": () => ({ prompts: [] }) };
  const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
  const onerror = (error: Error): void => void errors.push(error);
  const server = new Server(info, handlers, { features, capabilities, onerror });
  client = await RawClient.of(server, revision);
}

async function opened(id: unknown = 1): Promise<Wire> {
  client.ask(id, "subscriptions/listen", { notifications: ALL });
  return client.until(({ method, error }) => method === ACKNOWLEDGED || error !== undefined);
}

describe("features in a subscription", () => {
  it("can narrow the filter one after another, but never widen it (LIST-03)", async () => {
    const seen: Filter[] = [];
    await serve(
      (filter) => {
        seen.push(filter);
        return { filter: { toolsListChanged: true, resourcesListChanged: true, own: [1] } };
      },
      async (filter) => {
        seen.push(filter);
        return { filter: { ...ALL } };
      },
      () => undefined,
    );
    const { params } = await opened();
    expect(seen).toEqual([ALL, { toolsListChanged: true }]);
    expect(params.notifications).toEqual({ toolsListChanged: true });
  });

  it("end once, however the subscription ends", async () => {
    const ended: unknown[] = [];
    await serve((filter, { id }) => ({ filter, end: () => void ended.push(id) }));
    await opened("cancelled");
    client.tell("notifications/cancelled", { requestId: "cancelled" });
    client.tell("notifications/cancelled", { requestId: "cancelled" });
    await client.rest();
    expect(ended).toEqual(["cancelled"]);
    await opened("left");
    await client.rest();
    await client.close();
    await client.rest();
    expect(ended).toEqual(["cancelled", "left"]);
  });

  it("can refuse the subscription, and the work of others is undone", async () => {
    const ended: string[] = [];
    await serve(
      (filter) => ({ filter, end: () => void ended.push("first") }),
      async () => {
        throw new RpcError(-32602, "Not today");
      },
    );
    expect((await opened()).error).toEqual({ code: -32602, message: "Not today" });
    expect(ended).toEqual(["first"]);
  });

  it("fail like a handler: the client does not receive the reason", async () => {
    await serve(() => {
      throw new Error("/home/secret");
    });
    expect((await opened()).error).toEqual({ code: -32603, message: "Internal error" });
    expect(errors).toHaveLength(1);
  });

  it("are undone when the client cancels before the subscription opens (CANC-13)", async () => {
    const ended: unknown[] = [];
    const opening = deferred<Listening>();
    await serve(() => opening.promise);
    client.ask(1, "subscriptions/listen", { notifications: ALL });
    await client.rest();
    client.tell("notifications/cancelled", { requestId: 1 });
    await client.rest();
    opening.resolve({ filter: ALL, end: () => void ended.push(1) });
    expect(await client.rest()).toEqual([]);
    expect(ended).toEqual([1]);
  });

  it("report an error at the end to onerror, and the others still end", async () => {
    const ended: unknown[] = [];
    await serve(
      (filter) => ({
        filter,
        end: () => {
          throw new Error("stuck");
        },
      }),
      (filter) => ({ filter, end: () => void ended.push(2) }),
    );
    await opened();
    client.tell("notifications/cancelled", { requestId: 1 });
    await client.rest();
    expect(ended).toEqual([2]);
    expect(errors.map(({ message }) => message)).toEqual(["stuck"]);
  });
});
