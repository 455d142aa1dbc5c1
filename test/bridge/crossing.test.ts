import { describe, expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { customNotification, customRequest, onCustom, RpcError } from "@mcp-codegen/runtime";
import { listen } from "@mcp-codegen/runtime/http/node";
import {
  connect,
  connectInMemory,
  createHttpHandler,
  McpServer,
  onExtension,
  UrlElicitationRequiredError,
} from "@mcp-codegen/universal";
import { clientTasks, type SavedTask, serverTasks } from "@mcp-codegen/universal/tasks";
import { eventually } from "../support/eventually.js";
import { clientAt, IDS, only, outcomeOf, upstreamAt } from "./support/stage.js";

const isAny = (value: unknown): value is Record<string, unknown> => value !== undefined;
const add = customRequest("acme/add", { params: isAny, result: isAny });
const notification = customNotification("notifications/acme/heard", { params: isAny });
const pick = customRequest("acme/pick", { params: isAny, result: isAny });
const notes = {
  id: "com.example/notes",
  requests: {
    "notes/count": customRequest("notes/count", { params: isAny, result: isAny }),
  },
  notifications: {
    "notifications/notes/read": customNotification("notifications/notes/read", { params: isAny }),
  },
};

/** Creates a server at one revision with tasks and with messages that no revision defines. */
function upstreamWithOwn(id: string) {
  const received: unknown[] = [];
  const effects: string[] = [];
  const server = new McpServer(
    { name: "own", version: "1.0.0" },
    {
      revisions: only(id),
      extensions: [serverTasks({ after: 20, pollInterval: 10 })],
      capabilities: { experimental: { acme: { level: 3 } } },
      onerror: () => {},
    },
  );
  server.onCustom(add, async ({ a, b }, ctx) => {
    effects.push("add");
    await ctx.notify(notification, { a });
    if (b === 0) throw new RpcError(-31_000, "no zeros", { b });
    return { sum: Number(a) + Number(b), level: ctx.client.capabilities.experimental?.["acme"] };
  });
  server.onCustom(notification, (params) => void received.push(params));
  server.registerTool("pick", {}, async (ctx) => {
    effects.push("pick");
    return JSON.stringify(await ctx.request(pick, { from: 3 }));
  });
  server.registerExtension(notes, {
    settings: { shelves: 2 },
    handlers: {
      "notes/count": async ({ shelf }, ctx) => {
        await ctx.notify(notes.notifications["notifications/notes/read"], { shelf });
        return { notes: 3, client: ctx.extension(notes.id) };
      },
    },
  });
  server.registerTool("bake", { task: "required" }, async () => {
    effects.push("bake");
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "a cake";
  });
  server.registerTool("order", { task: "required" }, async (ctx) => {
    effects.push("order");
    await new Promise((resolve) => setTimeout(resolve, 30));
    const requestedSchema = { type: "object", properties: {} } as const;
    const { action } = await ctx.elicit({ message: "Which?", requestedSchema });
    return action;
  });
  return { server, received, effects };
}

async function stage(down: string, up: string) {
  const behind = upstreamWithOwn(up);
  const server = await bridge(() => connectInMemory(behind.server), { onerror: () => {} });
  onTestFinished(() => server.close());
  const seen: unknown[] = [];
  const tasks = clientTasks();
  const { client, requested } = await clientAt(down, server, {
    capabilities: { experimental: { acme: { level: 7 } } },
    custom: [
      onCustom(notification, (params) => void seen.push(params)),
      onCustom(pick, ({ from }) => ({ picked: from })),
    ],
    extensions: [
      tasks,
      onExtension(notes, {
        settings: { depth: 1 },
        handlers: { "notifications/notes/read": (params) => void seen.push(params) },
      }),
    ],
  });
  return { ...behind, client, requested, tasks, seen };
}

const page = { mode: "url", message: "Log in", url: "https://example.com/", elicitationId: "e1" };

/** Starts a session behind a bridge, with a tool that requires a page to be opened first. */
async function locked() {
  const behind = upstreamAt("2025-11-25");
  let isOpen = false;
  behind.server.registerTool("locked", {}, () => {
    if (isOpen) return "open";
    throw new UrlElicitationRequiredError([page]);
  });
  const server = await bridge(() => connectInMemory(behind.server));
  onTestFinished(() => server.close());
  return { behind: { ...behind, open: () => (isOpen = true) }, server, visits: [] as string[] };
}

const PAIRS = IDS.flatMap((down) => IDS.map((up) => [down, up] as const));
const NEWEST = IDS[0]!;
const textOf = (result: object) => (result as { content: { text: string }[] }).content[0]!.text;

describe.each(PAIRS)("between a client of %s and a server of %s", (down, up) => {
  it("requests and notifications of a vendor cross", async () => {
    const { client, effects, received, seen } = await stage(down, up);
    const result = await client.request(add, { a: 1, b: 2 });
    expect(result).toMatchObject({ sum: 3, level: { level: 7 } });
    await eventually(() => expect(seen).toEqual([{ a: 1 }]));
    expect(await outcomeOf(client.request(add, { a: 1, b: 0 }))).toEqual({
      error: { code: -31_000, message: "no zeros", data: { b: 0 } },
    });
    expect(effects).toEqual(["add", "add"]);
    await client.notify(notification, { a: 5 });
    await eventually(() => expect(received).toMatchObject([{ a: 5 }]));
    expect(client.server.capabilities.experimental).toEqual({ acme: { level: 3 } });
    const unknown = customRequest("acme/none");
    expect(await outcomeOf(client.request(unknown))).toMatchObject({ error: { code: -32_601 } });
  });

  it("messages of an extension cross", async () => {
    const { client, seen } = await stage(down, up);
    expect(client.server.capabilities.extensions?.[notes.id]).toEqual({ shelves: 2 });
    const result = await client.request(notes.requests["notes/count"], { shelf: "inbox" });
    expect(result).toMatchObject({ notes: 3, client: { depth: 1 } });
    await eventually(() => expect(seen).toEqual([{ shelf: "inbox" }]));
  });

  it("requests of a vendor to the client cross between sessions, and are refused elsewhere", async () => {
    const { client, effects } = await stage(down, up);
    const outcome = await outcomeOf(client.callTool("pick"));
    if (down !== NEWEST && up !== NEWEST)
      expect(outcome).toMatchObject({ content: [{ text: '{"picked":3}' }] });
    else expect(outcome).toMatchObject({ isError: true });
    expect(effects).toEqual(["pick"]);
  });

  it("what is lost is reported once for each kind", async () => {
    const behind = upstreamAt(up);
    const reported: string[] = [];
    const server = await bridge(() => connectInMemory(behind.server), {
      onerror: ({ message }) => reported.push(message),
    });
    onTestFinished(() => server.close());
    for (let count = 0; count < 2; count += 1) {
      const { client } = await clientAt(down, server);
      await client.callTool("structured");
      await client.callTool("blocks");
    }
    const lacksAudio = down < "2025-03-26";
    const lacksStructure = down < "2025-06-18" && up >= "2025-06-18";
    const lost = `Lost for clients of ${down}: tools/call`;
    const own = reported.filter((line) => line.startsWith(lost)).toSorted();
    expect(own.filter((line) => line.includes("structuredContent"))).toHaveLength(
      Number(lacksStructure),
    );
    if (lacksAudio && up >= "2025-03-26")
      expect(own[0]).toBe(
        `${lost} /content/* is a kind of content that this revision does not have`,
      );
    expect(new Set(own).size).toBe(own.length);
  });

  it("a tool that runs as a task has a result", async () => {
    const { client, effects } = await stage(down, up);
    expect(textOf(await client.callTool("bake"))).toBe("a cake");
    expect(effects).toEqual(["bake"]);
  });

  it("a handle of a task reports its result", async () => {
    const { tasks, effects } = await stage(down, up);
    const baking = await tasks.startTool("bake");
    expect(textOf(await baking.result())).toBe("a cake");
    expect(baking.taskId === undefined).toBe(down !== up || down < "2025-11-25");
    expect(effects).toEqual(["bake"]);
  });

  it.runIf(down >= "2025-06-18" && up >= "2025-06-18")(
    "a question of a task reaches the client",
    async () => {
      const { client, requested, effects } = await stage(down, up);
      const outcome = await client.callTool("order");
      expect(textOf(outcome)).toBe("accept");
      expect(requested).toEqual(["Which?"]);
      expect(effects.length).toBeGreaterThan(0);
    },
  );
});

/** Creates two servers behind one bridge. */
async function several(id: string) {
  const [one, two] = [upstreamWithOwn(id), upstreamWithOwn(id)];
  const server = await bridge(
    { one: () => connectInMemory(one.server), two: () => connectInMemory(two.server) },
    { onerror: () => {} },
  );
  onTestFinished(() => server.close());
  const tasks = clientTasks();
  const { client } = await clientAt(id, server, { extensions: [tasks] });
  return { client, tasks, one, two };
}

describe("before several servers", () => {
  it.each(["2025-11-25", NEWEST])("tasks belong to the one that runs them, at %s", async (id) => {
    const { tasks, one, two } = await several(id);
    const baking = [await tasks.startTool("one_bake"), await tasks.startTool("two_bake")];
    expect(baking[0]!.taskId).toMatch(/^one_/);
    expect(baking[1]!.taskId).toMatch(/^two_/);
    for (const task of baking) expect(textOf(await task.result())).toBe("a cake");
    expect([one.effects, two.effects]).toEqual([["bake"], ["bake"]]);
  });

  it("messages of a vendor are refused by name", async () => {
    const { client } = await several(NEWEST);
    const outcome = await outcomeOf(client.request(add, { a: 1, b: 2 }));
    expect(outcome).toMatchObject({ error: { code: -32_601 } });
    expect(JSON.stringify(outcome)).toContain("acme/add");
  });
});

describe("what a revision does not have", () => {
  it.each(IDS.filter((id) => id < "2025-11-25"))("is refused by name: tasks at %s", async (id) => {
    const { client } = await stage(id, id);
    const outcome = await outcomeOf(client.request(customRequest("tasks/list"), {} as never));
    expect(outcome).toMatchObject({
      error: { code: -32_601, message: `Method not found: "tasks/list" is not a request of ${id}` },
    });
  });
});

it.each(IDS.flatMap((below) => IDS.map((above) => [above, below] as const)))(
  "a bridge that serves only %s stands before a server of %s with tasks, subscriptions and logging",
  async (above, below) => {
    const behind = upstreamWithOwn(below);
    behind.server.registerResource("log", "log://all", {}, () => "empty");
    const server = await bridge(() => connectInMemory(behind.server), {
      server: { revisions: only(above) },
      onerror: () => {},
    });
    onTestFinished(() => server.close());
    const { client } = await clientAt(above, server, {});
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("pick");
  },
);

it("a task of another principal does not exist", async () => {
  const behind = upstreamWithOwn(NEWEST);
  const server = await bridge(() => connectInMemory(behind.server), { onerror: () => {} });
  const http = await listen(
    createHttpHandler(server, {
      authenticate: ({ header }) => ({ principal: header("authorization") ?? "nobody" }),
    }),
  );
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  const as = async (authorization: string) => {
    const tasks = clientTasks();
    const client = await connect(http.url, {
      revisions: only(NEWEST),
      eras: false,
      headers: { authorization },
      extensions: [tasks],
    });
    onTestFinished(() => client.close());
    return tasks;
  };
  const [ada, bob] = [await as("ada"), await as("bob")];
  const baking = await ada.startTool("bake");
  const stolen = bob.resumeTask(JSON.parse(JSON.stringify(baking)) as SavedTask);
  await expect(stolen.result()).rejects.toThrow("the task is unknown");
  expect(textOf(await baking.result())).toBe("a cake");
});

describe("between sessions of 2025-11-25", () => {
  it("changed roots reach the server in the conversation of their client", async () => {
    const behind = upstreamAt("2025-11-25");
    let changes = 0;
    behind.server.setHandler("notifications/roots/list_changed", () => void (changes += 1));
    const server = await bridge(() => connectInMemory(behind.server));
    onTestFinished(() => server.close());
    const { client } = await clientAt("2025-11-25", server, {
      onRoots: undefined,
      roots: [{ uri: "file:///work" }],
    });
    await client.callTool("echo", { text: "hi" });
    await client.notify("notifications/roots/list_changed");
    await eventually(() => expect(changes).toBe(1));
  });

  it("a page that is required first reaches the client, and so does its completion", async () => {
    const { behind, server } = await locked();
    const completed: unknown[] = [];
    const seen = (params: unknown) => void completed.push(params);
    const { client } = await clientAt("2025-11-25", server, {
      onElicit: undefined,
      capabilities: { elicitation: { url: {} } },
      features: [{ handlers: { "notifications/elicitation/complete": seen } }],
    });
    expect(await outcomeOf(client.callTool("locked"))).toMatchObject({
      error: { code: -32_042, data: { elicitations: [page] } },
    });
    behind.server.elicitationCompleted(page.elicitationId);
    await eventually(() => expect(completed).toEqual([{ elicitationId: page.elicitationId }]));
  });
});

it.each(IDS)(
  "a page that a session requires first is visited from %s, if it can be",
  async (id) => {
    const { behind, server, visits } = await locked();
    const visited = { action: "accept" } as const;
    const { client } = await clientAt(id, server, {
      onElicit: (question) => {
        visits.push(question.message);
        setTimeout(behind.open, 20);
        return visited;
      },
    });
    const outcome = await outcomeOf(client.callTool("locked"));
    if (id >= "2025-11-25") expect(outcome).toMatchObject({ content: [{ text: "open" }] });
    else expect(JSON.stringify(outcome)).toContain("visit a web page");
    expect(visits).toEqual(id >= "2025-11-25" ? ["Log in"] : []);
  },
);
