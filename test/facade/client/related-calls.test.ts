import { createHttpHandler, createSseHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import type { HandlerContext, RelatedCall } from "@mcp-codegen/runtime";
import type { ElicitationAnswer } from "@mcp-codegen/runtime/features";
import { requestAsTask, Tasks } from "@mcp-codegen/runtime/tasks";
import {
  type AskingContext,
  connectInMemory,
  type ConnectOptions,
  revisions,
} from "@mcp-codegen/universal";
import { describe, expect, it, onTestFinished } from "vitest";
import { factsOf, McpServer } from "../server/support/server.js";
import { connect } from "./support/connecting.js";

const FORM = { type: "object", properties: {} } as const;

/** Creates a server whose tools send requests only once both have been called, the second tool first. */
function askingServer(): McpServer {
  const server = new McpServer();
  let arrived = new Set<string>();
  let meet: (() => void)[] = [];
  const both = async (name: string): Promise<void> => {
    arrived.add(name);
    if (arrived.size === 2) {
      for (const go of meet.toReversed()) go();
      return;
    }
    await new Promise<void>((resolve) => meet.push(resolve));
  };
  server.registerTool("reset", {}, () => {
    arrived = new Set();
    meet = [];
    return "";
  });
  for (const name of ["one", "two"]) {
    server.registerTool(name, {}, async (ctx) => {
      await ctx.once("meet", () => both(name).then(() => null));
      if (ctx.can.sample)
        await ctx.sample({
          messages: [{ role: "user", content: { type: "text", text: name } }],
          maxTokens: 1,
        });
      if (ctx.can.elicit) await ctx.elicit({ message: name, requestedSchema: FORM });
      if (ctx.can.roots) await ctx.listRoots();
      return name;
    });
  }
  server.registerTool(
    "ask",
    { inputSchema: { type: "object", properties: { name: { type: "string" } } } as const },
    async ({ name = "" }, ctx) => {
      const properties = { from: { type: "string" } } as const;
      const form = { type: "object", properties } as const;
      const { content } = await ctx.elicit({ message: name, requestedSchema: form });
      return `${name} of ${content?.from}`;
    },
  );
  server.registerTool("page", {}, async (ctx) => {
    const { action } = await ctx.elicitUrl({ message: "page", url: "https://a.example/" });
    return action;
  });
  return server;
}

interface ReceivedMessage {
  readonly question: string;
  readonly call: RelatedCall | undefined;
}

/** Answers everything and records the call that each question was part of. */
function listeningTo(received: ReceivedMessage[]): ConnectOptions {
  const note = (question: string, { call }: HandlerContext): void =>
    void received.push({ question, call });
  return {
    onElicit: ({ message }, context) => {
      note(message, context);
      return { action: "accept", content: {} };
    },
    onSample: ({ messages }, context) => {
      note((messages[0]!.content as { text: string }).text, context);
      return { role: "assistant", content: { type: "text", text: "" }, model: "m" };
    },
    onRoots: (context) => {
      note("roots", context);
      return [];
    },
  };
}

const cases = revisions.flatMap((revision) =>
  (["memory", "http"] as const).map((wire) => [revision.id, wire, revision] as const),
);

describe.each(cases)("requests to the user at %s over %s", (id, wire, revision) => {
  const isStreamable = revision.conventions.http === "streamable";
  const { isAlone, elicitation, urls } = factsOf(id);
  const isKnown = isAlone || (wire === "http" && isStreamable);

  async function connected(received: ReceivedMessage[]) {
    const server = askingServer();
    const options = { ...listeningTo(received), revisions: [revision] };
    if (wire === "memory") return connect(await connectInMemory(server), options);
    const sse = createSseHandler(server);
    const { url, close } = await listen(
      isStreamable ? createHttpHandler(server) : { "/sse": sse, "/messages": sse },
    );
    onTestFinished(() => close(0));
    return connect(url, options);
  }

  it("name the call that they belong to, if it can be known", async () => {
    const received: ReceivedMessage[] = [];
    const client = await connected(received);
    const names = ["one", "two"];
    const contexts = Object.fromEntries(names.map((name) => [name, { name }]));
    for (let turn = 0; turn < 3; turn++) {
      await client.callTool("reset");
      await Promise.all(
        names.map((name) => client.callTool(name, { turn }, { context: contexts[name] })),
      );
    }
    expect(received).toHaveLength(3 * 2 * (elicitation ? 3 : 2));
    if (!isKnown) return expect(received.filter(({ call }) => call)).toEqual([]);
    for (const { question, call } of received) {
      expect(call).toMatchObject({ method: "tools/call" });
      const { name } = call!.params as { name: string };
      expect(call!.context).toBe(contexts[name]);
      if (question !== "roots") expect(name).toBe(question);
    }
    const ofRoots = received.filter(({ question }) => question === "roots");
    const called = ofRoots.map(({ call }) => (call!.context as { name: string }).name);
    expect(called.toSorted()).toEqual(["one", "one", "one", "two", "two", "two"]);
  });

  it("never contain what the caller keeps private", async () => {
    const received: ReceivedMessage[] = [];
    const client = await connected(received);
    // Would fail if it were serialised as JSON.
    const context = { big: 1n };
    await client.callTool("reset", undefined, { context });
    if (!urls) return;
    const { content } = await client.callTool("page", undefined, { context });
    expect(content).toMatchObject([{ text: "accept" }]);
    expect(received).toHaveLength(1);
    expect(received[0]!.call?.context).toBe(isKnown ? context : undefined);
  });
});

const askable = revisions.filter(({ id }) => factsOf(id).elicitation);

describe.each(askable.map((revision) => [revision.id, revision] as const))(
  "a gateway to a server of %s",
  (_id, upstream) => {
    it.each(askable.map((revision) => [revision.id, revision] as const))(
      "forwards requests to the client of %s that made the call",
      async (_caller, revision) => {
        const { url, close } = await listen(createHttpHandler(askingServer()));
        onTestFinished(() => close(0));
        const behind = await connect(url, {
          revisions: [upstream],
          onElicit: async ({ message, ...rest }, { call }) => {
            const { requestedSchema } = rest as { requestedSchema: typeof FORM };
            const answer = await (call!.context as AskingContext).elicit({
              message,
              requestedSchema,
            });
            return answer as ElicitationAnswer;
          },
        });
        const gateway = new McpServer();
        for (const name of ["one", "two"]) {
          gateway.registerTool(name, {}, async (ctx) => {
            const options = { context: ctx, signal: ctx.signal };
            const { content } = await behind.callTool("ask", { name }, options);
            return { content };
          });
        }
        await Promise.all(
          ["one", "two"].map(async (name) => {
            const requested: string[] = [];
            const client = await connect(await connectInMemory(gateway), {
              revisions: [revision],
              onElicit: ({ message }) => {
                requested.push(message);
                return { action: "accept", content: { from: name } };
              },
            });
            const { content } = await client.callTool(name);
            expect(content).toEqual([{ type: "text", text: `${name} of ${name}` }]);
            expect(requested).toEqual([name]);
          }),
        );
      },
    );
  },
);

const withTasks = revisions.filter(({ traits }) => traits.tasks);

it.each(withTasks.map((revision) => [revision.id, revision] as const))(
  "input requests of tasks at %s name the call that became the task, over any transport",
  async (_id, revision) => {
    const received: ReceivedMessage[] = [];
    const server = new McpServer({ features: [new Tasks({ pollInterval: 10 })] });
    for (const name of ["one", "two"]) {
      server.registerTool(name, { execution: { taskSupport: "optional" } }, async (ctx) => {
        await ctx.elicit({ message: name, requestedSchema: FORM });
        return name;
      });
    }
    const client = await connect(await connectInMemory(server), {
      ...listeningTo(received),
      revisions: [revision],
    });
    await Promise.all(
      ["one", "two"].map((name) =>
        requestAsTask(client, "tools/call", { name }, { context: `for ${name}` }),
      ),
    );
    expect(received).toHaveLength(2);
    for (const { question, call } of received) {
      expect(call).toMatchObject({ method: "tools/call", context: `for ${question}` });
    }
  },
);
