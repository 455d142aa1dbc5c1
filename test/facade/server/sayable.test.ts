import {
  acceptedContent,
  connect,
  connectInMemory,
  revisions,
  type CallToolResult,
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult,
  type ReadResourceResult,
  ResourceTemplate,
  RpcError,
  UrlElicitationRequiredError,
} from "@mcp-codegen/universal";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { customRequest } from "@mcp-codegen/runtime";
import { requestAsTask, Tasks } from "@mcp-codegen/runtime/tasks";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

const mark = { "example.com/mark": 1 };
const url = "https://example.com/pay";
const declared = {
  roots: {},
  sampling: {},
  elicitation: { form: {}, url: {} },
};
const refuse = (): never => {
  throw new UrlElicitationRequiredError([{ message: "Pay", url }], "Pay first");
};
const forwarded = (elicitationId: string): never => {
  const page = { mode: "url", message: "Pay", url, elicitationId };
  throw new RpcError(-32042, "Pay first", { elicitations: [null, page] });
};
const sampled = { role: "assistant", model: "m", content: { type: "text", text: "hi" } };

describe.each(REVISIONS)("an author can send to clients of %s:", (revision) => {
  const facts = factsOf(revision);

  it("the call that a message belongs to, in the _meta of requests to the user", async () => {
    const server = new McpServer();
    server.registerTool("ask", {}, async (ctx) => {
      const options = { _meta: mark };
      if (ctx.can.elicit) {
        const requestedSchema = z.object({ n: z.number() });
        await ctx.elicit({ message: "n", requestedSchema }, { ...options, key: "form" });
      }
      await ctx.sample({ messages: [], maxTokens: 1 }, options);
      await ctx.listRoots(options);
      return "asked";
    });
    const seen: Record<string, unknown> = {};
    const note = (method: string, answer: object) => (params: { _meta?: object } | undefined) => {
      seen[method] = params?.["_meta" as never];
      return answer;
    };
    const talk = await Talk.with(server, revision, {
      capabilities: declared,
      answers: {
        "elicitation/create": note("elicit", { action: "accept", content: { n: 1 } }),
        "sampling/createMessage": note("sample", sampled),
        "roots/list": note("roots", { roots: [] }),
      },
    });
    expect(await talk.tool("ask")).toMatchObject({ content: [{ text: "asked" }] });
    const carried = facts.isAlone ? undefined : mark;
    expect(seen["sample"]).toEqual(carried);
    if (facts.elicitation) expect(seen["elicit"]).toEqual(carried);
    expect(seen["roots"]).toEqual(mark);
    expect(server.reports.filter(({ name }) => name !== "DeprecationWarning")).toEqual([]);
  });

  it("the call that a message belongs to, in the _meta of notifications", async () => {
    const server = new McpServer({ logging: true });
    server.registerTool("tell", {}, (ctx) => {
      ctx.log("error", "broken", "disk", mark);
      ctx.progress(1, 2, "half", mark);
      return "told";
    });
    const talk = await Talk.with(server, revision);
    const requested = { progressToken: "p", "io.modelcontextprotocol/logLevel": "info" };
    await talk.call("tools/call", { name: "tell", _meta: requested });
    const notifications = await talk.notifications();
    for (const method of ["notifications/message", "notifications/progress"]) {
      const { params } = notifications.find((one) => one.method === method)!;
      expect(params).toMatchObject({ _meta: mark });
    }
  });

  it("a change of a resource, with _meta", async () => {
    const server = new McpServer();
    server.registerResource("note", "note://1", {}, () => "text");
    const talk = await Talk.with(server, revision);
    if (facts.isAlone) {
      await talk.listen({ resourceSubscriptions: ["note://1"] });
    } else await talk.call("resources/subscribe", { uri: "note://1" });
    server.resourceUpdated("note://1", mark);
    const notifications = await talk.notifications();
    const updated = notifications.find(
      ({ method }) => method === "notifications/resources/updated",
    );
    expect(updated?.params).toMatchObject({ uri: "note://1", _meta: mark });
  });

  it("a result that depends on the parameters of a call", async () => {
    const server = new McpServer();
    server.registerTool("echo", { inputSchema: z.object({ a: z.number() }) }, (_args, ctx) =>
      JSON.stringify([ctx.params?.["name"], ctx.params?.["arguments"], ctx.params?.["other"]]),
    );
    const talk = await Talk.with(server, revision);
    const params = { name: "echo", arguments: { a: 1, b: 2 }, other: true };
    const { result } = await talk.call("tools/call", params);
    expect(JSON.parse(result.content[0].text)).toEqual(["echo", { a: 1, b: 2 }, true]);
  });

  it("the arguments of a prompt without a schema", async () => {
    const server = new McpServer();
    const args = [
      { name: "code", description: "Code", required: true },
      { name: "style" },
    ] as const;
    server.registerPrompt(
      "review",
      { arguments: args, complete: { style: () => ["a"] } },
      (got) => {
        expectTypeOf(got.code).toEqualTypeOf<string>();
        expectTypeOf(got.style).toEqualTypeOf<string | undefined>();
        return `${got.code} ${got.style ?? "-"}`;
      },
    );
    const talk = await Talk.with(server, revision);
    const { result } = await talk.call("prompts/list");
    expect(result.prompts[0].arguments).toMatchObject(args);
    const got = await talk.call("prompts/get", { name: "review", arguments: { code: "x" } });
    expect(got.result.messages[0].content.text).toBe("x -");
    const refused = await talk.call("prompts/get", { name: "review" });
    expect(refused.error).toMatchObject({ code: -32602 });
    const both = { arguments: args, argsSchema: z.object({}) };
    expect(() => server.registerPrompt("both", both, () => "")).toThrow(/pass one/);
  });

  it("the need to visit a page, by throwing", async () => {
    const server = new McpServer();
    const paid = new Set<string>();
    const id = `id of ${revision}`;
    server.registerTool("order", {}, () => {
      if (paid.has(revision)) return "ordered";
      throw new UrlElicitationRequiredError([{ message: "Pay", url, elicitationId: id }]);
    });
    const pay = (): object => {
      paid.add(revision);
      return { action: "accept" };
    };
    const talk = await Talk.with(server, revision, {
      capabilities: declared,
      answers: { "elicitation/create": pay },
    });
    const outcome = await talk.tool("order");
    if (facts.isAlone) {
      expect(talk.asked).toEqual(["elicitation/create"]);
      expect(outcome.content[0].text).toBe("ordered");
    } else if (facts.urls) {
      const page = { mode: "url", message: "Pay", url, elicitationId: id };
      expect(outcome).toMatchObject({ code: -32042, data: { elicitations: [page] } });
      await talk.notifications();
      server.elicitationCompleted("another");
      server.elicitationCompleted(id);
      server.elicitationCompleted(id);
      expect(await talk.notifications()).toMatchObject([
        { method: "notifications/elicitation/complete", params: { elicitationId: id } },
      ]);
    } else {
      expect(outcome).toMatchObject({ isError: true });
      expect(JSON.stringify(outcome)).not.toContain(url);
    }
    expect(server.reports).toEqual([]);
  });

  it("the need to visit two pages, each once, until the user has returned from them", async () => {
    if (!facts.isAlone) return;
    const server = new McpServer();
    let calls = 0;
    server.registerTool("order", {}, () => {
      calls += 1;
      if (calls > 6) return "ordered";
      throw new UrlElicitationRequiredError([{ message: "Pay", url: `${url}/${calls > 3}` }]);
    });
    const talk = await Talk.with(server, revision, {
      capabilities: declared,
      answers: { "elicitation/create": () => ({ action: "accept" }) },
    });
    expect((await talk.tool("order")).content[0].text).toBe("ordered");
    expect(talk.asked).toEqual(Array(2).fill("elicitation/create"));
  });

  it("the need to visit a page, by an error that another server sent", async () => {
    const server = new McpServer();
    server.registerTool("order", {}, () => forwarded("tool"));
    server.registerPrompt("order", {}, async () => forwarded("prompt"));
    server.setHandler("resources/list", () => forwarded("list"));
    server.onCustom(customRequest("acme/order"), () => forwarded("custom"));
    const talk = await Talk.with(server, revision, { capabilities: declared });
    await talk.tool("order");
    await talk.call("prompts/get", { name: "order" });
    await talk.call("resources/list", {});
    await talk.call("acme/order", {});
    await talk.notifications();
    const ids = ["tool", "prompt", "list", "custom"];
    for (const id of [...ids, "another"]) server.elicitationCompleted(id);
    const notified = (await talk.notifications()).map(({ params }) => params.elicitationId);
    expect(notified).toEqual(facts.urls && !facts.isAlone ? ids : []);
  });

  it("the need to visit a page, also if the client cannot open it or the user declines", async () => {
    const server = new McpServer();
    server.registerTool("order", {}, refuse);
    server.registerPrompt("order", {}, refuse);
    const without = await Talk.with(server, revision);
    const outcomes = [
      await without.tool("order"),
      (await without.call("prompts/get", { name: "order" })).error,
    ];
    for (const outcome of outcomes) {
      expect(JSON.stringify(outcome)).toContain("Pay first");
      expect(JSON.stringify(outcome)).not.toContain(url);
    }
    if (!facts.isAlone) return;
    const declining = await Talk.with(server, revision, {
      capabilities: declared,
      answers: { "elicitation/create": () => ({ action: "decline" }) },
    });
    expect(await declining.tool("order")).toMatchObject({ isError: true });
    expect(declining.rounds).toBe(1);
  });

  it("the completion of a visit to a page, during the request and after it (ELIC-09)", async () => {
    const server = new McpServer();
    const ids: (string | undefined)[] = [];
    server.registerTool("visit", {}, async (ctx) => {
      if (!ctx.can.elicitUrl) return "no pages";
      const { elicitationId } = await ctx.elicitUrl({ message: "Go", url, elicitationId: "own" });
      ids.push(elicitationId);
      return "visited";
    });
    const talk = await Talk.with(server, revision, {
      capabilities: declared,
      answers: { "elicitation/create": () => ({ action: "accept" }) },
    });
    await talk.tool("visit");
    await server.createElicitationCompletionNotifier("own")();
    const notifications = await talk.notifications();
    const notified = notifications.filter(
      ({ method }) => method === "notifications/elicitation/complete",
    );
    const hasIds = facts.urls && !facts.isAlone;
    expect(notified.map(({ params }) => params)).toEqual(hasIds ? [{ elicitationId: "own" }] : []);
    if (facts.urls) expect(ids).toEqual([hasIds ? "own" : undefined]);
    expect(server.reports).toEqual([]);
  });

  it("a log message by its notification, even if no level was set", async () => {
    const server = new McpServer({ logging: true });
    server.registerTool("log", {}, async (ctx) => {
      const params = { level: "debug", data: "x" };
      await ctx.mcpReq.notify({ method: "notifications/message", params });
      await ctx.notify("notifications/message", { level: "debug", data: "y" });
      return "logged";
    });
    const talk = await Talk.with(server, revision);
    expect(await talk.tool("log")).toMatchObject({ content: [{ text: "logged" }] });
    expect(await talk.notifications()).toEqual([]);
    expect(server.reports.map(({ message }) => message)).toEqual(
      Array(2).fill("notifications/message was not sent: the client has not requested its level"),
    );
    const wanted = { "io.modelcontextprotocol/logLevel": "debug" };
    if (!facts.isAlone) await talk.call("logging/setLevel", { level: "debug" });
    await talk.call("tools/call", { name: "log", _meta: wanted });
    expect(await talk.notifications()).toHaveLength(2);
  });

  it("results from a handler by method that precedes registered definitions", async () => {
    const server = new McpServer();
    const seen: string[] = [];
    server.registerTool("a", {}, () => "a");
    server.registerTool("b", {}, () => "b");
    server.registerResource("note", "note://1", {}, () => "text");
    server.setHandler("tools/list", async (_params, _ctx, next) => {
      const result = await next();
      return { ...result, tools: result.tools.filter(({ name }) => name === "a") };
    });
    server.setHandler("tools/call", (params, _ctx, next) =>
      params.name === "a" ? next() : { content: [{ type: "text", text: "never" }] },
    );
    for (const method of ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"]) {
      server.setHandler(method as "resources/subscribe", (params: object, _ctx, next) => {
        seen.push(`${method} ${Object.values(params).join(" ")}`);
        return next();
      });
    }
    const talk = await Talk.with(server, revision);
    const { result } = await talk.call("tools/list");
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(["a"]);
    expect(await talk.tool("a")).toMatchObject({ content: [{ text: "a" }] });
    expect(await talk.tool("b")).toMatchObject({ content: [{ text: "never" }] });
    if (facts.isAlone) return;
    await talk.call("resources/subscribe", { uri: "note://1" });
    server.resourceUpdated("note://1");
    expect(await talk.notifications()).toHaveLength(1);
    await talk.call("resources/unsubscribe", { uri: "note://1" });
    await talk.call("logging/setLevel", { level: "error" });
    expect(seen).toEqual([
      "resources/subscribe note://1",
      "resources/unsubscribe note://1",
      "logging/setLevel error",
    ]);
  });

  it("input requests as results, by the type of the protocol", async () => {
    const server = new McpServer();
    const Name = z.object({ name: z.string() });
    const asks = (): InputRequiredResult =>
      inputRequired({
        requests: { who: inputRequired.elicit({ message: "Who?", requestedSchema: Name }) },
        state: 1,
      });
    server.registerTool("t", {}, (ctx): CallToolResult | InputRequiredResult => {
      const who = acceptedContent(ctx.answers, "who", Name);
      return who ? { content: [{ type: "text", text: who.name }] } : asks();
    });
    server.registerPrompt("p", {}, async (): Promise<GetPromptResult | InputRequiredResult> =>
      asks(),
    );
    server.registerResource("r", "r://1", {}, (): ReadResourceResult | InputRequiredResult =>
      asks(),
    );
    if (!facts.elicitation) return;
    const talk = await Talk.with(server, revision, {
      capabilities: declared,
      answers: { "elicitation/create": () => ({ action: "accept", content: { name: "Ann" } }) },
    });
    expect(await talk.tool("t")).toMatchObject({ content: [{ text: "Ann" }] });
  });
});

describe.each(REVISIONS)("a tool with task support at %s", (revision) => {
  it("runs as a task if the revision has tasks, and as a normal call otherwise (TASK-07)", async () => {
    const server = new McpServer({ features: [new Tasks({ pollInterval: 10 })] });
    const execution = { taskSupport: "optional" } as const;
    server.registerTool("bake", { execution, outputSchema: z.object({ n: z.number() }) }, () => ({
      n: 1,
    }));
    const known = revisions.find(({ id }) => id === revision)!;
    const client = await connect(await connectInMemory(server), { revisions: [known] });
    const statuses: string[] = [];
    const result = await requestAsTask<CallToolResult>(
      client,
      "tools/call",
      { name: "bake" },
      { onstatus: ({ status }) => statuses.push(status) },
    );
    expect(result.content).toMatchObject([{ text: '{"n":1}' }]);
    expect(statuses).toEqual(revision === "2025-11-25" ? ["working", "completed"] : []);
    await client.close();
  });
});

describe("middleware", () => {
  it("sees server/discover, and can describe the server to each sender differently (DISC-07)", async () => {
    const seen: string[] = [];
    const server = new McpServer({
      instructions: "for all",
      middleware: [
        async ({ method }, next) => {
          seen.push(method);
          const result = (await next()) as object;
          return method === "server/discover" ? { ...result, instructions: "for you" } : result;
        },
      ],
    });
    const talk = await Talk.with(server, REVISIONS[0]!);
    const { result } = await talk.call("server/discover");
    expect(result).toMatchObject({ instructions: "for you", cacheScope: "private" });
    expect(seen).toEqual(["server/discover"]);
  });
});

describe("setting a handler", () => {
  it("is rejected for requests that the engine answers", () => {
    for (const method of ["server/discover", "ping", "initialize"]) {
      expect(() =>
        new McpServer().setHandler(method as "tools/list", () => ({ tools: [] })),
      ).toThrow(/the engine handles it/);
    }
    expect(() =>
      new McpServer().setHandler("roots/list" as "tools/list", () => ({ tools: [] })),
    ).toThrow(/the other side handles it/);
  });

  it("reports a next() that has no handler to call", async () => {
    const server = new McpServer();
    server.setHandler("completion/complete", (_params, _ctx, next) => next());
    const talk = await Talk.with(server, REVISIONS[0]!);
    const ref = { type: "ref/prompt", name: "p" };
    const { error } = await talk.call("completion/complete", {
      ref,
      argument: { name: "a", value: "" },
    });
    expect(error).toMatchObject({ code: -32603 });
    expect(server.reports[0]?.message).toMatch(/no handler for .* that next\(\) could call/);
  });
});

it("the items that a template lists are typed", () => {
  const good = new ResourceTemplate("note://{id}", {
    list: () => [{ uri: "note://1", name: "1" }],
  });
  expectTypeOf(good.list!).returns.not.toBeAny();
  // @ts-expect-error a URI is text, and the name is missing
  void new ResourceTemplate("note://{id}", { list: () => [{ uri: 5, nme: "1" }] });
  expectTypeOf<HandlerContext["params"]>().toEqualTypeOf<unknown>();
});
