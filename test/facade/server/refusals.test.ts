import { describe, expect, it } from "vitest";
import { type AskingContext, inputRequired } from "@mcp-codegen/universal";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk, type TalkOptions } from "./support/talk.js";
import { itWhere } from "../../support/conditional.js";

const text = { type: "text" as const, text: "?" };
const question = { messages: [{ role: "user" as const, content: text }], maxTokens: 5 };
const form = { type: "object", properties: { name: { type: "string" } } } as const;
const visit = { message: "Go", url: "https://example.com" };
const choices = {
  type: "object",
  properties: { extras: { type: "array", items: { type: "string", enum: ["x", "y"] } } },
  required: ["extras"],
} as const;
const tool = { name: "t", inputSchema: { type: "object" as const } };

/** The two ways to send a request to the user: within the handler, and through its result. */
const ASKING = {
  form: [
    (ctx) => ctx.elicit({ message: "?", requestedSchema: form }),
    () => inputRequired.elicit({ message: "?", requestedSchema: form }),
  ],
  url: [(ctx) => ctx.elicitUrl(visit), () => inputRequired.elicitUrl(visit)],
  model: [(ctx) => ctx.sample(question), () => inputRequired.createMessage(question)],
  tools: [
    (ctx) => ctx.sample({ ...question, tools: [tool] }),
    () => inputRequired.createMessage({ ...question, tools: [tool] }),
  ],
  roots: [(ctx) => ctx.listRoots(), () => inputRequired.listRoots()],
  choices: [
    (ctx) => ctx.elicit({ message: "?", requestedSchema: choices }),
    () => inputRequired.elicit({ message: "?", requestedSchema: choices }),
  ],
} satisfies Record<string, Ask>;

type Ask = readonly [
  (ctx: AskingContext) => Promise<unknown>,
  () => ReturnType<typeof inputRequired.listRoots>,
];

/** Creates a server whose tools, prompts and resources all send the same request to the user, in both ways. */
function askingServer(what: keyof typeof ASKING): McpServer {
  const [ask, question_] = ASKING[what] as Ask;
  const needed = () => inputRequired({ requests: { it: question_() } });
  const server = new McpServer();
  server.registerTool("asks", {}, async (ctx) => void (await ask(ctx)));
  server.registerTool("returns", {}, needed);
  server.registerPrompt("asks", {}, async (ctx) => (await ask(ctx), ""));
  server.registerPrompt("returns", {}, async () => needed());
  server.registerResource("asks", "demo://asks", {}, async (_, ctx) => (await ask(ctx), ""));
  server.registerResource("returns", "demo://returns", {}, needed);
  return server;
}

/** Returns the ending of each call. Both ways must end the same. */
async function endings(what: keyof typeof ASKING, revision: string, options?: TalkOptions) {
  const server = askingServer(what);
  const talk = await Talk.with(server, revision, options);
  const both = async (method: string, paramsOf: (name: string) => object) => {
    const [requested, returned] = [
      await talk.call(method, paramsOf("asks")),
      await talk.call(method, paramsOf("returns")),
    ].map(({ error, result }) => error ?? result);
    expect(returned).toEqual(requested);
    return requested;
  };
  const ends = [
    await both("tools/call", (name) => ({ name })),
    await both("prompts/get", (name) => ({ name })),
    await both("resources/read", (name) => ({ uri: `demo://${name}` })),
  ];
  expect(talk.asked).toEqual([]);
  expect(server.reports).toEqual([]);
  return ends;
}

describe.each(REVISIONS)("requests to the user that are impossible at %s", (revision) => {
  const { isAlone, elicitation, urls, samplingTools } = factsOf(revision);

  it.each([
    ["form", { elicitation: { form: {} } }],
    ["url", { elicitation: { url: {} } }],
    ["model", { sampling: {} }],
    ["tools", { sampling: { tools: {} } }],
    ["roots", { roots: {} }],
  ] as const)(
    "are rejected in the same way in every style: %s without the capability (T2, T9, X11)",
    async (what, requiredCapabilities) => {
      const [called, rendered, read] = await endings(what, revision);
      if (isAlone) {
        const missing = { code: -32021, data: { requiredCapabilities } };
        expect([called, rendered, read]).toMatchObject([missing, missing, missing]);
        return;
      }
      const why = expect.stringMatching(/^This needs .*capability/);
      expect(called).toMatchObject({ isError: true, content: [{ type: "text", text: why }] });
      expect([rendered, read]).toMatchObject([
        { code: -32602, message: why },
        { code: -32602, message: why },
      ]);
    },
  );

  itWhere(elicitation && !urls)(
    "are rejected before the user is asked: a choice that a form requires (T4, X13)",
    async () => {
      const why = expect.stringContaining('requires "extras", a kind of field that does not exist');
      const [called, ...others] = await endings("choices", revision, {
        capabilities: { elicitation: {} },
      });
      expect(called).toMatchObject({ isError: true, content: [{ type: "text", text: why }] });
      const wrong = { code: -32602, message: why };
      expect(others).toMatchObject([wrong, wrong]);
    },
  );

  it("are rejected with an error that names the revision although the client declared the capability (T3, X14)", async () => {
    const server = new McpServer();
    server.registerTool("ask", {}, async ({ request }) => {
      const result = await request("sampling/createMessage", { ...question, tools: [tool] });
      return result.model;
    });
    const talk = await Talk.with(server, revision, {
      capabilities: { sampling: { tools: {} } },
      answers: {
        "sampling/createMessage": () => ({ role: "assistant", content: text, model: "m" }),
      },
    });
    const result = await talk.tool("ask");
    if (samplingTools) return expect(result.content).toEqual([{ type: "text", text: "m" }]);
    const why = expect.stringContaining('has "tools", which does not exist');
    expect(result).toMatchObject({ isError: true, content: [{ text: why }] });
    expect(server.reports).toEqual([]);
  });

  it("can be detected in advance (T2, X13)", async () => {
    const server = new McpServer();
    server.registerTool("can", {}, ({ can }) => JSON.stringify([can.elicit, can.elicitChoices]));
    server.registerTool("require", {}, (ctx) => ctx.require("elicitChoices"));
    const talk = await Talk.with(server, revision, { capabilities: { elicitation: {} } });
    const { content } = await talk.tool("can");
    expect(JSON.parse(content[0].text)).toEqual([elicitation, urls]);
    expect((await talk.tool("require")).isError).toBe(urls ? undefined : true);
  });

  it("have no effect if the handler does not await the answer", async () => {
    const server = new McpServer();
    server.registerTool("forgets", {}, (ctx) => {
      void ctx.elicit({ message: "?", requestedSchema: form });
      void ctx.sample(question);
      void ctx.request("roots/list");
      return "done";
    });
    const talk = await Talk.with(server, revision);
    expect((await talk.tool("forgets")).content).toEqual([{ type: "text", text: "done" }]);
    await talk.notifications();
  });
});
