import { describe, expect, it } from "vitest";
import { createHttpHandler, type HttpHandlerOptions } from "../../../runtime/http/server/index.js";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { instances, type Instance, Shared } from "../sharing/support/instances.js";
import { ACCEPT, initialize, serve } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const json = { "Content-Type": "application/json", Accept: ACCEPT };

describe("sessions from many sources", () => {
  it("end for the source that opens most, not for the others (H11)", async () => {
    const options: HttpHandlerOptions = { maxSessions: 10, onerror() {} };
    const handler = createHttpHandler(new ToyServer().server, options);
    const send = (address: string, body: object, headers: object = {}): Promise<Response> => {
      const init = { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) };
      return handler(new Request("http://localhost/mcp", init), { address });
    };
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const response = await send(`10.0.0.${count}`, initialize("2025-11-25"));
      ids.push(response.headers.get("mcp-session-id")!);
    }
    for (let count = 0; count < 50; count++) {
      expect((await send("10.9.9.9", initialize("2025-11-25"))).status).toBe(200);
    }
    expect(handler.sessions).toBe(10);
    for (const id of ids) {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      expect((await send("10.0.0.1", ping, { "Mcp-Session-Id": id })).status).toBe(200);
    }
    await handler.close(0);
  });
});

it("sessions that other instances have opened count for the addresses of their clients (H11)", async () => {
  const [opener, restorer] = instances(2, { http: { maxSessions: 3 } }) as [Instance, Instance];
  const open = async (address: string): Promise<void> => {
    const send = ({ handler }: Instance, body: object, headers: object = {}): Promise<Response> => {
      const init = { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) };
      return handler(new Request("http://localhost/mcp", init), { address });
    };
    const opening = initialize("2025-11-25");
    opening.params.clientInfo.name = address;
    const opened = await send(opener, opening);
    const id = opened.headers.get("mcp-session-id")!;
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await send(restorer, ping, { "Mcp-Session-Id": id })).status).toBe(200);
  };
  await open("10.0.0.1");
  for (let count = 0; count < 5; count++) await open("10.9.9.9");
  const kept = [...restorer.server.server.sessions].map(({ client }) => client?.info);
  expect(kept).toContainEqual(expect.objectContaining({ name: "10.0.0.1" }));
});

it.each<HttpHandlerOptions>([
  { maxSessions: 3 },
  { maxBytesKept: 1000 },
  { maxSessionsPerPrincipal: 3, authenticate: () => ({ principal: "ada" }) },
])("sessions that open while a store is slow are limited as well: %j (H11)", async (http) => {
  const stores = memoryStores();
  const { create } = stores.sessions;
  stores.sessions.create = async (...session) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return create.apply(stores.sessions, session);
  };
  const [{ handler }] = instances(1, { shared: new Shared(stores), http }) as [Instance];
  const body = JSON.stringify(initialize("2025-11-25"));
  const open = (): Promise<Response> =>
    handler(new Request("http://localhost/mcp", { method: "POST", headers: json, body }));
  for (const { status } of await Promise.all(Array.from({ length: 20 }, open)))
    expect(status).toBe(200);
  expect(handler.sessions).toBeLessThan(10);
});

it("a session whose server is closed while a store creates it is not kept", async () => {
  const stores = memoryStores();
  let create!: () => void;
  stores.sessions.create = () => new Promise((resolve) => (create = resolve));
  const [{ handler, server }] = instances(1, { shared: new Shared(stores) }) as [Instance];
  const body = JSON.stringify(initialize("2025-11-25"));
  const opening = handler(
    new Request("http://localhost/mcp", { method: "POST", headers: json, body }),
  );
  await expect.poll(() => create).toBeDefined();
  await server.close();
  create();
  await opening;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(handler.sessions).toBe(0);
});

describe("a sender whose authentication does not finish in time", () => {
  it.each([
    ["never resolves", () => new Promise<never>(() => {})],
    [
      "resolves too late",
      () => new Promise<"anonymous">((done) => setTimeout(done, 80, "anonymous")),
    ],
  ])("is refused, and not accepted later: %s", async (_, authenticate) => {
    const errors: string[] = [];
    const toy = new ToyServer();
    const onerror = (error: Error): void => void errors.push(error.message);
    const client = await serve(toy.server, { authenticate, authenticateTimeout: 20, onerror });
    const response = await client.post(initialize("2025-11-25"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(client.reached.handler.sessions).toBe(0);
    expect(errors.join()).toContain("authenticateTimeout");
  });
});
