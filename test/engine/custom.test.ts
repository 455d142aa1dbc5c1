import { describe, expect, it } from "vitest";
import { customNotification, customRequest, onCustom } from "../../runtime/api/index.js";
import { CapabilityError } from "../../runtime/wire/errors.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { rawClientOf, TinyClient, TinyServer } from "./support/tiny-endpoints.js";

interface Query {
  readonly query: string;
}

interface Hits {
  readonly hits: number;
}

const isQuery = (value: unknown): value is Query => typeof (value as Query).query === "string";
const isHits = (value: unknown): value is Hits => typeof (value as Hits).hits === "number";
const search = customRequest("acme/search", { params: isQuery, result: isHits });
const seen = customNotification("acme/seen", { params: isQuery });

async function connected(server: TinyServer, client: TinyClient): Promise<void> {
  const [near, far] = memoryPair();
  await Promise.all([server.connect(far), client.connect(near)]);
}

describe("custom messages", () => {
  it("are sent in both directions, with the types of the user", async () => {
    const received: string[] = [];
    const server = new TinyServer(
      {},
      { custom: [onCustom(search, ({ query }) => ({ hits: query.length }))] },
    );
    const client = new TinyClient(
      {},
      { custom: [onCustom(seen, ({ query }) => void received.push(query))] },
    );
    await connected(server, client);
    const { hits } = await client.request(search, { query: "abc" });
    expect(hits).toBe(3);
    await server.notify(seen, { query: "abc" });
    await client.request(search, { query: "" });
    expect(received).toEqual(["abc"]);
  });

  it("are checked by the validators of the user, in and out", async () => {
    const custom = [onCustom(search, () => ({ hits: "many" }) as never)];
    const raw = await rawClientOf(new TinyServer({}, { custom }));
    expect((await raw.call(1, "acme/search", { query: 1 })).error.code).toBe(-32602);
    expect((await raw.call(2, "acme/search", { query: "a" })).error.code).toBe(-32603);
  });

  it("are unknown to a side that has no handler for them", async () => {
    const server = new TinyServer();
    const client = new TinyClient();
    await connected(server, client);
    await expect(client.request(search, { query: "a" })).rejects.toMatchObject({ code: -32601 });
  });

  it("can be sent by a handler as part of its request", async () => {
    const server = new TinyServer({
      "text/echo": async ({ text }: { text: string }, { request }) => {
        const { hits } = await request(search, { query: text });
        return { text: String(hits) };
      },
    });
    const client = new TinyClient({}, { custom: [onCustom(search, () => ({ hits: 7 }))] });
    await connected(server, client);
    expect(await client.request("text/echo", { text: "a" })).toEqual({ text: "7" });
  });

  it("must not have the name of a protocol message", () => {
    const ping = onCustom(customRequest("ping"), () => ({}));
    expect(() => new TinyServer({}, { custom: [ping] })).toThrow('"ping" is a message of one');
    const twice = onCustom(search, () => ({ hits: 0 }));
    expect(() => new TinyServer({}, { custom: [twice, twice] })).toThrow("has two handlers");
  });

  it("need a definition: a plain string is a protocol method", async () => {
    const client = new TinyClient();
    await connected(new TinyServer(), client);
    const request = client.request.bind(client) as (method: string) => Promise<unknown>;
    await expect(request("acme/search")).rejects.toThrow(CapabilityError);
  });
});
