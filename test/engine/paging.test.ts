import { describe, expect, it } from "vitest";
import { Client, type Handlers, Server } from "@mcp-codegen/2025-11-25";
import { InvalidMessageError, OverloadError, RpcError } from "../../runtime/wire/errors.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";

interface Page {
  readonly names: readonly string[];
  readonly next?: string;
}

/** Connects to a server whose tools are on these pages, by cursor. The first page is under "start". */
async function connected(pages: Readonly<Record<string, Page>>): Promise<{
  client: Client;
  requested: unknown[];
}> {
  const requested: unknown[] = [];
  const handlers: Handlers = {
    "tools/list": (params) => {
      requested.push(params);
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
  return { client, requested };
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
  it("come from all pages in order, the last one without a cursor (PAGE-01, PAGE-05)", async () => {
    const { client, requested } = await connected({
      start: { names: ["a", "b"], next: "2" },
      2: { names: [], next: "3" },
      3: { names: ["c"] },
    });
    expect(await namesOf(client.allTools())).toEqual(["a", "b", "c"]);
    expect(requested).toEqual([{}, { cursor: "2" }, { cursor: "3" }]);
  });

  it("come from a server without pages (PAGE-05)", async () => {
    const { client, requested } = await connected({ start: { names: ["a"] } });
    expect(await namesOf(client.allTools())).toEqual(["a"]);
    expect(requested).toHaveLength(1);
  });

  it("continue at an empty cursor (PAGE-04)", async () => {
    const { client } = await connected({
      start: { names: ["a"], next: "" },
      "": { names: ["b"] },
    });
    expect(await namesOf(client.allTools())).toEqual(["a", "b"]);
  });

  it("begin at a given cursor, which is sent unchanged with the other parameters (PAGE-02)", async () => {
    const odd = "e\u0301 \u2028=&";
    const { client, requested } = await connected({
      [odd]: { names: ["b"], next: `${odd}2` },
      [`${odd}2`]: { names: ["c"] },
    });
    const params = { cursor: odd, _meta: { "example.com/trace": "1" } };
    expect(await namesOf(client.allTools(params))).toEqual(["b", "c"]);
    expect(requested).toEqual([params, { ...params, cursor: `${odd}2` }]);
  });

  it("are fetched when needed, and no earlier", async () => {
    const { client, requested } = await connected({
      start: { names: ["a", "b"], next: "2" },
      2: { names: ["c"] },
    });
    const tools = client.allTools();
    expect(requested).toHaveLength(0);
    for await (const { name } of tools) if (name === "b") break;
    expect(requested).toHaveLength(1);
    expect((await tools.next()).done).toBe(true);
  });

  it("end with the error of a page that cannot be fetched (PAGE-06)", async () => {
    const { client } = await connected({ start: { names: ["a"], next: "lost" } });
    const tools = client.allTools();
    expect((await tools.next()).value?.name).toBe("a");
    await expect(tools.next()).rejects.toMatchObject({ code: -32602 });
  });

  it("stop with the signal", async () => {
    const { client, requested } = await connected({
      start: { names: ["a"], next: "2" },
      2: { names: ["b"] },
    });
    const abort = new AbortController();
    const tools = client.allTools(undefined, { signal: abort.signal });
    await tools.next();
    abort.abort(new Error("enough"));
    await expect(tools.next()).rejects.toThrow("enough");
    expect(requested).toHaveLength(1);
  });
});

describe("a list without an end (PAGE-07)", () => {
  it.each([
    ["the same page again", { start: { names: ["a"], next: "2" }, 2: { names: ["b"], next: "2" } }],
    [
      "pages in a cycle",
      {
        start: { names: ["a"], next: "2" },
        2: { names: ["b"], next: "3" },
        3: { names: [], next: "2" },
      },
    ],
  ])("ends with an error: %s", async (_title, pages) => {
    const { client, requested } = await connected(pages);
    const names: string[] = [];
    const reading = (async () => {
      for await (const { name } of client.allTools()) names.push(name);
    })();
    await expect(reading).rejects.toThrow(InvalidMessageError);
    expect(names).toEqual(["a", "b"]);
    expect(requested).toHaveLength(Object.keys(pages).length);
  });

  it("ends when it returns to its first cursor", async () => {
    const { client } = await connected({ x: { names: ["a"], next: "x" } });
    await expect(namesOf(client.allTools({ cursor: "x" }))).rejects.toThrow(InvalidMessageError);
  });

  it("ends at maxPages after all their pages", async () => {
    const { client, requested } = await connected({
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
    expect(requested).toHaveLength(2);
    expect(await namesOf(client.allTools(undefined, { maxPages: 3 }))).toEqual(["a", "b", "c"]);
  });
});

it("a server pages through the lists of a client", async () => {
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
