import { describe, expect, it } from "vitest";
import * as z from "zod";
import { acceptedContent, type AskingContext, inputRequired } from "@mcp-codegen/universal";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";
import { itWhere } from "../../support/conditional.js";

type Context = AskingContext;

const sampled = {
  role: "assistant",
  content: { type: "text", text: "model" },
  model: "m",
  stopReason: "endTurn",
};

const answers = {
  "elicitation/create": ({ mode, requestedSchema }: Record<string, unknown>) =>
    mode === "url"
      ? { action: "accept" }
      : { action: "accept", content: { name: requestedSchema ? "Ann" : "?" } },
  "sampling/createMessage": () => sampled,
  "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
};

const form = {
  message: "Who?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
} as const;

const question = {
  messages: [{ role: "user" as const, content: { type: "text" as const, text: "?" } }],
  maxTokens: 5,
};

async function everything(ctx: Context, isParallel: boolean): Promise<string> {
  const asks = [
    async () => JSON.stringify((await ctx.elicit(form)).content),
    async () => JSON.stringify((await ctx.sample(question)).content),
    async () => (await ctx.listRoots()).roots.map(({ uri }) => uri).join(),
    async () => (await ctx.elicitUrl({ message: "Go", url: "https://example.com/a" })).action,
  ];
  if (isParallel) return (await Promise.all(asks.map((ask) => ask()))).join(" ");
  const results: string[] = [];
  for (const ask of asks) results.push(await ask());
  return results.join(" ");
}

describe("requests to the user outside of replay", () => {
  it("wait as long as the server allows for people and models (T2)", async () => {
    const server = new McpServer({ askTimeout: 5 });
    server.registerTool("ask", {}, async (ctx) => (await ctx.elicit(form)).action);
    const [, before] = REVISIONS;
    const talk = await Talk.with(server, before!, { capabilities: { elicitation: {} } });
    talk.ask("tools/call", { name: "ask" });
    const requested = await talk.raw.next();
    expect(requested.method).toBe("elicitation/create");
    const [cancelled, answer] = [await talk.raw.next(), await talk.raw.next()];
    expect(cancelled.method).toBe("notifications/cancelled");
    expect(answer.result.isError).toBe(true);
    expect(server.reports.map(String).join()).toMatch(/within 5 ms/);
  });
});

describe.each(REVISIONS)("the context at %s", (revision) => {
  const { isAlone, elicitation, urls, progressMessage } = factsOf(revision);

  itWhere(urls).each([
    [false, 4],
    [true, 1],
  ])(
    "sends all requests to the client at once: %s (T2, T3, T4, T5)",
    async (isParallel, rounds) => {
      const server = new McpServer();
      server.registerTool("all", {}, (ctx) => everything(ctx, isParallel));
      const talk = await Talk.with(server, revision, { answers });
      const result = await talk.tool("all");
      const model = '{"type":"text","text":"model"}';
      expect(result.content?.[0].text).toBe(`{"name":"Ann"} ${model} file:///home accept`);
      expect(talk.asked.toSorted()).toEqual([
        "elicitation/create",
        "elicitation/create",
        "roots/list",
        "sampling/createMessage",
      ]);
      expect(talk.rounds).toBe(isAlone ? rounds : 0);
    },
  );

  itWhere(elicitation)(
    "creates forms from library schemas, and checks the answers with them (T4)",
    async () => {
      const server = new McpServer();
      const requestedSchema = z.object({
        mail: z.email(),
        size: z.enum(["s", "m"]).default("m"),
        age: z.number().int().optional(),
      });
      server.registerTool("order", {}, async (ctx) => {
        const answer = await ctx.elicit({ message: "Order", requestedSchema });
        return answer.action === "accept"
          ? `${answer.content.mail} ${answer.content.size}`
          : "none";
      });
      let requested: unknown;
      const contents: object[] = [{ mail: "a@b.cd" }, { mail: "a@b.cd", age: 1.5 }];
      const talk = await Talk.with(server, revision, {
        answers: {
          "elicitation/create": (params) => {
            requested = params.requestedSchema;
            return { action: "accept", content: contents.shift() };
          },
        },
      });
      expect((await talk.tool("order")).content[0].text).toBe("a@b.cd m");
      expect(requested).toMatchObject({
        type: "object",
        properties: {
          mail: { type: "string", format: "email" },
          size: { type: "string", enum: ["s", "m"], ...(urls ? { default: "m" } : {}) },
          age: { type: "integer" },
        },
        required: ["mail"],
      });
      expect(JSON.stringify(requested)).not.toMatch(/\$schema|pattern|additionalProperties/);
      expect(await talk.tool("order")).toMatchObject({ isError: true });
      expect(server.reports.map(String).join()).toContain("does not match");
    },
  );

  itWhere(elicitation)("requests choices in the form of the revision (T4)", async () => {
    const server = new McpServer();
    server.registerTool("pick", {}, async (ctx) => {
      const answer = await ctx.elicit({
        message: "Pick",
        requestedSchema: {
          type: "object",
          properties: {
            size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
            extras: { type: "array", items: { type: "string", enum: ["x", "y"] } },
          },
          required: ["size"],
        },
      });
      return answer.action === "accept" ? answer.content.size : "none";
    });
    let fields: Record<string, object> = {};
    const talk = await Talk.with(server, revision, {
      answers: {
        "elicitation/create": ({ requestedSchema }) => {
          fields = requestedSchema.properties;
          return { action: "accept", content: { size: "s" } };
        },
      },
    });
    expect((await talk.tool("pick")).content[0].text).toBe("s");
    const isTitled = "oneOf" in fields["size"]!;
    expect(isTitled).toBe(urls);
    if (!isTitled) expect(fields["size"]).toMatchObject({ enum: ["s"], enumNames: ["Small"] });
    expect("extras" in fields).toBe(urls);
  });

  it("shows the capabilities of the client, and rejects the rest as the revision does (T2, T9)", async () => {
    const server = new McpServer();
    server.registerTool("can", {}, (ctx) => JSON.stringify(ctx.can));
    server.registerTool("ask", {}, async (ctx) => (await ctx.sample(question)).model);
    server.registerTool("require", {}, (ctx) => ctx.require({ elicitation: { url: {} } }));
    server.registerTool("tools", {}, async (ctx) => {
      return (await ctx.sample({ ...question, tools: [] })).model;
    });
    server.registerPrompt("needy", {}, (ctx) => {
      ctx.require("roots");
      return "";
    });
    const talk = await Talk.with(server, revision, { capabilities: { elicitation: {} } });
    expect(JSON.parse((await talk.tool("can")).content[0].text)).toEqual({
      elicit: elicitation,
      elicitChoices: urls,
      elicitUrl: false,
      sample: false,
      sampleWithTools: false,
      roots: false,
    });
    const missing = (requiredCapabilities: object) =>
      isAlone
        ? { code: -32021, data: { requiredCapabilities } }
        : { isError: true, content: [{ text: expect.stringContaining("This needs") }] };
    expect(await talk.tool("ask")).toMatchObject(missing({ sampling: {} }));
    expect(await talk.tool("tools")).toMatchObject(missing({ sampling: { tools: {} } }));
    expect(await talk.tool("require")).toMatchObject(missing({ elicitation: { url: {} } }));
    const { error } = await talk.call("prompts/get", { name: "needy" });
    expect(error.code).toBe(isAlone ? -32021 : -32602);
    expect(server.reports).toEqual([]);
  });

  it("has the client, the revision and the request (T1)", async () => {
    const server = new McpServer();
    server.registerTool("who", {}, ({ client, revision: id, traits, meta, header, auth, method }) =>
      JSON.stringify({
        client,
        id,
        lifecycle: traits.lifecycle,
        meta: meta?.["acme/x"],
        header: header("x"),
        auth,
        method,
      }),
    );
    const talk = await Talk.with(server, revision, { capabilities: { elicitation: {} } });
    const { result } = await talk.call("tools/call", { name: "who", _meta: { "acme/x": 1 } });
    expect(JSON.parse(result.content[0].text)).toEqual({
      client: {
        info: { name: "raw", version: "1" },
        capabilities: elicitation ? { elicitation: { form: {} } } : expect.anything(),
      },
      id: revision,
      lifecycle: isAlone ? "discover" : "initialize",
      meta: 1,
      method: "tools/call",
    });
  });

  it("reports progress and writes to the log of the request (T6, T7)", async () => {
    const server = new McpServer({ logging: true });
    server.registerTool("work", {}, ({ progress, log }) => {
      progress(1, 2, "half");
      log("debug", "small");
      log("error", { big: true }, "work");
    });
    const talk = await Talk.with(server, revision);
    const logLevel = { "io.modelcontextprotocol/logLevel": "error" };
    const metadata = { progressToken: "t", ...(isAlone ? logLevel : {}) };
    await talk.call("tools/call", { name: "work", _meta: metadata });
    const notifications = await talk.notifications();
    expect(notifications).toContainEqual(
      expect.objectContaining({
        method: "notifications/progress",
        params: expect.objectContaining({
          progressToken: "t",
          progress: 1,
          ...(progressMessage ? { message: "half" } : {}),
        }),
      }),
    );
    const logged = notifications.filter(({ method }) => method === "notifications/message");
    expect(logged.map(({ params }) => params)).toEqual([
      { level: "error", logger: "work", data: { big: true } },
    ]);
  });

  itWhere(elicitation)("has input responses and state for the explicit style", async () => {
    const server = new McpServer();
    const requestedSchema = z.object({ name: z.string() });
    server.registerTool("greet", {}, (ctx) => {
      const { name } = acceptedContent(ctx.answers, "who", requestedSchema) ?? {};
      if (name) return `Hello ${name}, ${String(ctx.state)}`;
      const who = inputRequired.elicit({ message: "Who?", requestedSchema });
      return inputRequired({ requests: { who }, state: "remembered" });
    });
    const talk = await Talk.with(server, revision, { answers });
    expect((await talk.tool("greet")).content?.[0].text).toBe("Hello Ann, remembered");
  });

  itWhere(elicitation)("runs work once in any number of rounds", async () => {
    const server = new McpServer();
    let times = 0;
    server.registerTool("once", {}, async (ctx) => {
      const made = await ctx.once("made", () => ++times);
      await ctx.elicit(form);
      await ctx.listRoots();
      return String(made);
    });
    const talk = await Talk.with(server, revision, { answers });
    expect((await talk.tool("once")).content[0].text).toBe("1");
    expect(times).toBe(1);
  });
});
