import { onTestFinished } from "vitest";
import {
  connect,
  connectInMemory,
  type ConnectOptions,
  McpServer,
  ResourceTemplate,
  ToolError,
  revisions,
} from "@mcp-codegen/universal";
import { RpcError } from "@mcp-codegen/runtime";
import * as z from "zod";

/** The ids of all revisions, newest first. */
export const IDS: readonly string[] = revisions.map(({ id }) => id);

/** Returns a list that contains only the revision with this id. */
export const only = (id: string) => revisions.filter((one) => one.id === id);

export interface Upstream {
  readonly server: McpServer;
  /** The number of times that the handler of each name ran. */
  readonly effects: Record<string, number>;
  /** The reasons with which running handlers were aborted. */
  readonly aborted: unknown[];
}

/** Creates a server with something of every kind, at one revision. */
export function upstreamAt(id: string, name = "upstream"): Upstream {
  const effects: Record<string, number> = {};
  const aborted: unknown[] = [];
  const ran = (what: string) => (effects[what] = (effects[what] ?? 0) + 1);
  const server = new McpServer(
    { name, version: "1.2.3" },
    {
      revisions: only(id),
      instructions: `Use ${name}`,
      pageSize: 4,
      logging: true,
      onerror: () => {},
    },
  );
  server.registerTool(
    "echo",
    { description: "Echoes", inputSchema: z.object({ text: z.string() }) },
    ({ text }) => {
      ran("echo");
      return `${name}: ${text}`;
    },
  );
  server.registerTool("structured", { outputSchema: z.object({ sum: z.number() }) }, () => {
    ran("structured");
    return { sum: 3 };
  });
  server.registerTool("blocks", {}, () => [
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "resource_link", uri: "notes://motd", name: "motd" },
    { type: "resource", resource: { uri: "notes://motd", text: "Be kind" } },
  ]);
  server.registerTool("failed", {}, () => {
    throw new ToolError("no luck");
  });
  server.registerTool("refused", {}, () => {
    throw new RpcError(-31_999, "refused", { why: "because" });
  });
  server.registerTool("slow", {}, async (ctx) => {
    ran("slow");
    ctx.progress(1, 2, "half");
    await new Promise((_, reject) => {
      ctx.signal.addEventListener("abort", () => {
        aborted.push(ctx.signal.reason);
        reject(ctx.signal.reason as Error);
      });
    });
  });
  server.registerTool("steps", {}, (ctx) => {
    ctx.progress(1, 2, "half");
    ctx.log("warning", "a line", "steps");
    ctx.progress(2, 2, "whole");
    return "done";
  });
  server.registerTool("meta", {}, (ctx) =>
    JSON.stringify(["acme/key", "traceparent", "tracestate"].map((key) => ctx.meta?.[key])),
  );
  server.registerTool("pay", { description: "Pays after a form" }, async (ctx) => {
    ran("pay");
    const form = { type: "object", properties: { code: { type: "string" } } } as const;
    const answer = await ctx.elicit({ message: `Pay ${name}?`, requestedSchema: form });
    return `${answer.action} ${answer.content?.code ?? ""}`;
  });
  server.registerTool("twice", {}, async (ctx) => {
    ran("twice");
    const form = { type: "object", properties: {} } as const;
    const first = await ctx.elicit({ message: "First?", requestedSchema: form });
    const second = await ctx.elicit({ message: "Second?", requestedSchema: form });
    return `${first.action} ${second.action}`;
  });
  server.registerTool("both", {}, async (ctx) => {
    ran("both");
    const form = { type: "object", properties: {} } as const;
    const [one, two] = await Promise.all([
      ctx.elicit({ message: "One?", requestedSchema: form }),
      ctx.elicit({ message: "Two?", requestedSchema: form }),
    ]);
    return `${one.action} ${two.action}`;
  });
  server.registerTool("visit", {}, async (ctx) => {
    ran("visit");
    const { action } = await ctx.elicitUrl({ message: "Go?", url: "https://example.com/pay" });
    return action;
  });
  server.registerTool("sample", {}, async (ctx) => {
    ran("sample");
    const message = { role: "user", content: { type: "text", text: "Capital?" } } as const;
    const { content } = await ctx.sample({ maxTokens: 9, messages: [message] });
    return JSON.stringify(content);
  });
  server.registerTool("roots", {}, async (ctx) => {
    ran("roots");
    return JSON.stringify((await ctx.listRoots()).roots);
  });
  server.registerPrompt(
    "greet",
    { arguments: [{ name: "who" }], complete: { who: () => ["Ada", "Bob"] } },
    ({ who }) => `Hello ${who}`,
  );
  server.registerResource("motd", "notes://motd", { mimeType: "text/plain" }, () => "Be kind");
  const requestedSchema = { type: "object", properties: {} } as const;
  server.registerPrompt("asking", {}, async (ctx) => {
    ran("asking");
    return (await ctx.elicit({ message: "A prompt?", requestedSchema })).action;
  });
  server.registerResource("asking", "notes://asking", {}, async (_uri, ctx) => {
    ran("notes://asking");
    return (await ctx.elicit({ message: "A resource?", requestedSchema })).action;
  });
  const template = new ResourceTemplate("notes://users/{id}", { complete: { id: () => ["7"] } });
  server.registerResource("user", template, {}, (_uri, { id: user }) =>
    user === "7" ? "Ada" : undefined,
  );
  return { server, effects, aborted };
}

/** Accepts a form. */
export const answerForm = () => ({ action: "accept", content: { code: "42" } }) as const;

/** Connects a client at one revision that can answer everything and records the requests that it receives. */
export async function clientAt(id: string, server: McpServer, options: ConnectOptions = {}) {
  const requested: string[] = [];
  const client = await connect(await connectInMemory(server), {
    revisions: only(id),
    eras: false,
    onerror: () => {},
    onElicit: (question) => {
      requested.push(question.message);
      return { action: "accept", content: "url" in question ? undefined : { code: "42" } } as never;
    },
    onSample: () => {
      requested.push("sample");
      return { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" };
    },
    onRoots: () => {
      requested.push("roots");
      return [{ uri: "file:///work", name: "work" }];
    },
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, requested };
}

/** Returns a promise's value, or a description of its error. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof RpcError)
      return { error: { code: error.code, message: error.message, data: error.data } };
    return { failed: (error as Error).name };
  }
}
