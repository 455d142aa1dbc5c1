import { describe, expect, it } from "vitest";
import { Client, type Handlers, Server } from "@mcp-codegen/2025-11-25";
import { InvalidMessageError, OverloadError, RpcError } from "../../runtime/wire/errors.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";

interface Page {
  readonly names: readonly string[];
  readonly next?: string;
}

/** A server whose tools come in these pages, by cursor; the first under "start". */
async function connected(pages: Readonly<Record<string, Page>>): Promise<{
  client: Client;
  asked: unknown[];
}> {
  const asked: unknown[] = [];
  const handlers: Handlers = {
    "tools/list": (params) => {
      asked.push(params);
      const page = pages[params?.cursor ?? "start"];
      if (!page) throw new RpcError(-32602, "There is no such page");
      const tools = page.names.map((name) => ({ name, inputSchema: { type: "object" as const } }));
      return { tools, ...(page.next !== undefined && { nextCursor: page.next }) };
    },
  };
  const server = new Server({ name: "server", version: "1" }, handlers);
  const client = new Client({ name: "client", version: "1" });
  const [near, far] = memoryPair();
  await server.connect(far);
  await client.connect(near);
  return { client, asked };
}

const task = (taskId: string) => ({
  taskId,
  status: "working" as const,
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
  ttl: null,
});

async function namesOf(tools: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of tools) names.push(name);
  return names;
}

describe("all items of a list", () => {
  it("PAGE-01, PAGE-05: come from all pages in order, the last one being without a cursor", async () => {
    const { client, asked } = await connected({
      start: { names: ["a", "b"], next: "2" },
      2: { names: [], next: "3" },
      3: { names: ["c"] },
    });
    expect(await namesOf(client.allTools())).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([undefined, { cursor: "2" }, { cursor: "3" }]);
  });

  it("PAGE-05: come from a server that knows no pages", async () => {
    const { client, asked } = await connected({ start: { names: ["a"] } });
    expect(await namesOf(client.allTools())).toEqual(["a"]);
    expect(asked).toHaveLength(1);
  });

  it("PAGE-04: an empty cursor is not the end", async () => {
    const { client } = await connected({
      start: { names: ["a"], next: "" },
      "": { names: ["b"] },
    });
    expect(await namesOf(client.allTools())).toEqual(["a", "b"]);
  });

  it("PAGE-02: begin at a cursor, which goes back as it came, with the other parameters", async () => {
    const odd = "e\u0301 \u2028=&";
    const { client, asked } = await connected({
      [odd]: { names: ["b"], next: `${odd}2` },
      [`${odd}2`]: { names: ["c"] },
    });
    const params = { cursor: odd, _meta: { "example.com/trace": "1" } };
    expect(await namesOf(client.allTools(params))).toEqual(["b", "c"]);
    expect(asked).toEqual([params, { ...params, cursor: `${odd}2` }]);
  });

  it("are fetched when they are wanted, and no further than that", async () => {
    const { client, asked } = await connected({
      start: { names: ["a", "b"], next: "2" },
      2: { names: ["c"] },
    });
    const tools = client.allTools();
    expect(asked).toHaveLength(0);
    for await (const { name } of tools) if (name === "b") break;
    expect(asked).toHaveLength(1);
    expect((await tools.next()).done).toBe(true);
  });

  it("PAGE-06: end with the error of a page that cannot be had", async () => {
    const { client } = await connected({ start: { names: ["a"], next: "lost" } });
    const tools = client.allTools();
    expect((await tools.next()).value?.name).toBe("a");
    await expect(tools.next()).rejects.toMatchObject({ code: -32602 });
  });

  it("each page heeds the signal", async () => {
    const { client, asked } = await connected({
      start: { names: ["a"], next: "2" },
      2: { names: ["b"] },
    });
    const abort = new AbortController();
    const tools = client.allTools(undefined, { signal: abort.signal });
    await tools.next();
    abort.abort(new Error("enough"));
    await expect(tools.next()).rejects.toThrow("enough");
    expect(asked).toHaveLength(1);
  });
});

describe("PAGE-07: a list without an end", () => {
  it.each([
    ["the same page again", { start: { names: ["a"], next: "2" }, 2: { names: ["b"], next: "2" } }],
    [
      "pages in a circle",
      {
        start: { names: ["a"], next: "2" },
        2: { names: ["b"], next: "3" },
        3: { names: [], next: "2" },
      },
    ],
  ])("%s: ends with an error", async (_title, pages) => {
    const { client, asked } = await connected(pages);
    const names: string[] = [];
    const reading = (async () => {
      for await (const { name } of client.allTools()) names.push(name);
    })();
    await expect(reading).rejects.toThrow(InvalidMessageError);
    expect(names).toEqual(["a", "b"]);
    expect(asked).toHaveLength(Object.keys(pages).length);
  });

  it("a circle back to the cursor that it began with ends too", async () => {
    const { client } = await connected({ x: { names: ["a"], next: "x" } });
    await expect(namesOf(client.allTools({ cursor: "x" }))).rejects.toThrow(InvalidMessageError);
  });

  it("ever new cursors end at maxPages, whose pages are all given", async () => {
    const { client, asked } = await connected({
      start: { names: ["a"], next: "2" },
      2: { names: ["b"], next: "3" },
      3: { names: ["c"] },
    });
    const tools = client.allTools(undefined, { maxPages: 2 });
    expect([(await tools.next()).value?.name, (await tools.next()).value?.name]).toEqual([
      "a",
      "b",
    ]);
    await expect(tools.next()).rejects.toThrow(OverloadError);
    expect(asked).toHaveLength(2);
    expect(await namesOf(client.allTools(undefined, { maxPages: 3 }))).toEqual(["a", "b", "c"]);
  });
});

it("a server pages through what a client lists", async () => {
  const server = new Server({ name: "server", version: "1" });
  const client = new Client(
    { name: "client", version: "1" },
    {
      "tasks/list": (params) =>
        params?.cursor === undefined
          ? { tasks: [task("1")], nextCursor: "2" }
          : { tasks: [task(params.cursor)] },
    },
  );
  const [near, far] = memoryPair();
  await server.connect(far);
  await client.connect(near);
  await client.ping();
  const ids: string[] = [];
  for await (const { taskId } of server.allTasks()) ids.push(taskId);
  expect(ids).toEqual(["1", "2"]);
});
