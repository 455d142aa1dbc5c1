import { expect, expectTypeOf, test } from "vitest";
import type { CallToolResult, Tool } from "@mcp-codegen/2026-07-28";
import type { McpClient, McpServer } from "@mcp-codegen/universal";
import { metaOf, withoutMeta } from "../../stateless/client/support/raw-server.js";
import { scripted, scriptedSession } from "./support/connecting.js";

test("stateless servers and servers with sessions are recognised (T18, T25)", async () => {
  const { client } = await scripted({}, { instructions: "Be kind" });
  expect(client.era).toBe("stateless");
  expect(client.revision).toBe("2026-07-28");
  expect(client.server).toMatchObject({
    info: { name: "raw", version: "0" },
    instructions: "Be kind",
  });
  const older = await scriptedSession({}, {}, "2025-03-26");
  expect(older.client.era).toBe("session");
  expect(older.client.revision).toBe("2025-03-26");
  expect(older.client.server.info).toEqual({ name: "raw", version: "0" });
});

test("tools are called by name, or with all params", async () => {
  const { client, server } = await scripted();
  const calls = [
    client.callTool("add", { a: 1 }),
    client.callTool({ name: "add", arguments: { a: 2 } }),
    client.callTool("now"),
  ] as const;
  for (const expected of [
    { name: "add", arguments: { a: 1 } },
    { name: "add", arguments: { a: 2 } },
    { name: "now" },
  ]) {
    const requested = await server.next();
    expect(withoutMeta(requested)).toEqual(expected);
    server.answer(requested.id, { content: [{ type: "text", text: "ok" }] });
  }
  for (const call of calls) {
    const result = await call;
    expectTypeOf(result).toEqualTypeOf<CallToolResult>();
    expect(result.content).toEqual([{ type: "text", text: "ok" }]);
  }
});

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

test("lists are returned whole or page by page (PAGE-04, PAGE-05)", async () => {
  const { client, server } = await scripted({ cache: false });
  const whole = client.listTools();
  const first = await server.next();
  server.answer(first.id, { tools: [tool("a")], nextCursor: "" });
  const second = await server.next();
  expect(withoutMeta(second)).toEqual({ cursor: "" });
  server.answer(second.id, { tools: [tool("b")], ttlMs: 5 });
  const { tools, nextCursor, ttlMs } = await whole;
  expect(tools.map(({ name }) => name)).toEqual(["a", "b"]);
  expect([nextCursor, ttlMs]).toEqual([undefined, 5]);

  const page = client.listTools({ cursor: "x" });
  server.answer((await server.next()).id, { tools: [], nextCursor: "y" });
  expect((await page).nextCursor).toBe("y");

  const names: string[] = [];
  const reading = (async () => {
    for await (const one of client.tools()) {
      expectTypeOf(one).toEqualTypeOf<Tool>();
      names.push(one.name);
    }
  })();
  server.answer((await server.next()).id, { tools: [tool("c")] });
  await reading;
  expect(names).toEqual(["c"]);
});

test("other requests have short forms as well", async () => {
  const { client, server } = await scripted();
  const sent = [
    client.readResource("a:b"),
    client.readResource({ uri: "a:b" }),
    client.getPrompt("p", { x: "1" }),
    client.getPrompt({ name: "p" }),
    client.complete({
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "x", value: "" },
    }),
  ];
  const params = [];
  for (const one of sent) {
    void one.catch(() => {});
    const { method, params: given } = await server.next();
    params.push([method, { ...given, _meta: undefined }]);
  }
  expect(params).toEqual([
    ["resources/read", { uri: "a:b" }],
    ["resources/read", { uri: "a:b" }],
    ["prompts/get", { name: "p", arguments: { x: "1" } }],
    ["prompts/get", { name: "p" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "p" }, argument: { name: "x", value: "" } },
    ],
  ]);
});

test("any request can be sent by its method name, with the known types", async () => {
  const { client, server } = await scripted();
  const list = client.request("tools/list");
  expectTypeOf(list).resolves.toHaveProperty("tools").toEqualTypeOf<Tool[]>();
  server.answer((await server.next()).id, { tools: [] });
  expect((await list).tools).toEqual([]);
  // @ts-expect-error a method that no revision has: a request of your own is a customRequest
  await expect(client.request("acme/unknown", { a: 1 })).rejects.toMatchObject({
    code: "CAPABILITY",
  });
});

test("results have the shapes of the newest revision (T14)", async () => {
  const { client, server } = await scriptedSession();
  const call = client.callTool("add", { a: 1 });
  const requested = await server.next();
  expect(requested.params).toEqual({ name: "add", arguments: { a: 1 } });
  server.answer(requested.id, { content: [], structuredContent: { sum: 1 } });
  expect(await call).toEqual({
    content: [],
    structuredContent: { sum: 1 },
    resultType: "complete",
  });
});

test("ping sends ping or server/discover (T17)", async () => {
  const session = await scriptedSession();
  const ping = session.client.ping();
  const requested = await session.server.next();
  expect(requested.method).toBe("ping");
  session.server.answer(requested.id, {});
  expect(await ping).toBeUndefined();
  const { client, server } = await scripted();
  const again = client.ping();
  const probe = await server.next();
  expect(probe.method).toBe("server/discover");
  expect(metaOf(probe)).toBeDefined();
  server.answer(probe.id, { supportedVersions: ["2026-07-28"], capabilities: {} });
  expect(await again).toBeUndefined();
});

test("the log level is set by a request, or sent with every request (T7, META-12)", async () => {
  const session = await scriptedSession();
  const setting = session.client.setLogLevel("warning");
  const requested = await session.server.next();
  expect([requested.method, requested.params]).toEqual(["logging/setLevel", { level: "warning" }]);
  session.server.answer(requested.id, {});
  await setting;

  const { client, server } = await scripted();
  void client.listTools().catch(() => {});
  expect(metaOf(await server.next())).not.toHaveProperty("io.modelcontextprotocol/logLevel");
  await client.setLogLevel("error");
  expect(await server.rest()).toEqual([]);
  void client.listPrompts().catch(() => {});
  expect(metaOf(await server.next())).toMatchObject({
    "io.modelcontextprotocol/logLevel": "error",
  });
  await expect(client.setLogLevel("warn" as never)).rejects.toThrow(/^warn is .* info, .*warning/);
});

test("a client closes at the end of its `using` block", async () => {
  const { client, server } = await scripted();
  const ends: unknown[] = [];
  client.on("close", (error) => ends.push(error));
  await client[Symbol.asyncDispose]();
  expect(server.isClosed).toBe(true);
  expect(await client.closed).toBeUndefined();
  expect(ends).toEqual([undefined]);
});

const typed = (client: McpClient, server: McpServer): void => {
  // @ts-expect-error misspelt
  void client.request("tools/cal", {});
  // @ts-expect-error of the server
  void client.request("sampling/createMessage", {});
  // @ts-expect-error misspelt
  void client.notify("notifications/cancel", {});
  // @ts-expect-error misspelt
  server.setHandler("tools/lst", () => ({ tools: [] }));
  void client.request("ping");
  void client.notify("notifications/roots/list_changed");
  server.setHandler("resources/subscribe", () => ({}));
};

test("methods that no revision has do not compile, and those of older revisions do", () => {
  expect(typed).toBeTypeOf("function");
});
