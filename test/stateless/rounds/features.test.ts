import { expect, onTestFinished, test } from "vitest";
import { Client, Server } from "@mcp-codegen/2026-07-28";
import { Prompts, Resources, Tools } from "@mcp-codegen/2026-07-28/features";
import { elicitForm } from "../../../runtime/features/index.js";
import type { Feature } from "../../../runtime/api/feature.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { inputRequired } from "../../../runtime/api/outcomes.js";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { ASKING_HANDLERS } from "./support/asking-tools.js";
import { form } from "./support/questions.js";
import { RawClient } from "./support/raw-client.js";
import { GIVEN, type Wire } from "./support/round-trips.js";

const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
const who = { method: "elicitation/create", params: form("Who?") };

async function ask(context: HandlerContext): Promise<string> {
  const { action, content } = await elicitForm(context, { message: "Who?", requestedSchema });
  return `${action} ${content?.name}`;
}

const contents = (text: string): Wire => ({ contents: [{ uri: "memo://a", text }] });

function tools(): Tools {
  const all = new Tools();
  const inputSchema = { type: "object" } as const;
  all.add({ name: "ask", inputSchema }, async (_args, context) => ({
    content: [{ type: "text", text: await ask(context) }],
  }));
  all.add({ name: "return", inputSchema }, (_args, { answers }) => {
    const { user } = answers as Wire;
    if (!user) return inputRequired({ requests: { user: who } });
    return { content: [{ type: "text", text: `${user.action} ${user.content.name}` }] };
  });
  return all;
}

function prompts(): Prompts {
  const all = new Prompts();
  all.add({ name: "ask" }, async (_args, context) => ({
    messages: [{ role: "user", content: { type: "text", text: await ask(context) } }],
  }));
  return all;
}

function resources(): Resources {
  const all = new Resources();
  all.add({ uri: "memo://a", name: "a" }, async (_uri, context) => contents(await ask(context)));
  all.addTemplate({ uriTemplate: "memo://of/{id}", name: "of" }, read);
  return all;
}

async function read(_uri: string, _match: unknown, context: HandlerContext): Promise<Wire> {
  if ((context.answers as Wire).user) return contents("accept Ada");
  return inputRequired({ requests: { user: who } });
}

async function serving(features: readonly Feature[]): Promise<RawClient> {
  const server = new Server({ name: "test", version: "1" }, {}, { features, onerror: () => {} });
  const client = new RawClient();
  await server.connect(client);
  onTestFinished(() => server.close());
  return client;
}

test.each([
  ["tools/call", { name: "ask" }],
  ["tools/call", { name: "return" }],
  ["prompts/get", { name: "ask" }],
  ["resources/read", { uri: "memo://a" }],
  ["resources/read", { uri: "memo://of/1" }],
])("%s %j sends input requests (MRTR-03)", async (method, params) => {
  const client = await serving([tools(), prompts(), resources()]);
  const { result } = await client.fulfil(method, params);
  expect(client.interim).toHaveLength(1);
  expect(JSON.stringify(result)).toContain("accept Ada");
});

test.each(["ask", "return"])(
  "the tool %s names a missing capability of the client (MRTR-05)",
  async (name) => {
    const client = await serving([tools()]);
    client.capabilities = {};
    const { error } = await client.tool(name);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
  },
);

test("an input response that violates the form fails the tool (T2)", async () => {
  const client = await serving([tools()]);
  const { result } = await client.fulfil("tools/call", { name: "ask" }, misfit);
  expect(result.isError).toBe(true);
});

test.each(["sequence", "parallel"])(
  "our own client returns the input responses: %s (T2)",
  async (name) => {
    const info = { name: "test", version: "1" };
    const server = new Server(info, ASKING_HANDLERS as object);
    const handlers = Object.fromEntries(
      Object.entries(GIVEN).map(([method, answer]) => [method, () => answer]),
    );
    const client = new Client(info, handlers, {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    });
    const [near, far] = memoryPair();
    await server.connect(far);
    await client.connect(near);
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name });
    expect((content as Wire)[0].text).toMatch(/Ada Paris/);
  },
);

function misfit(): object {
  return { action: "accept", content: { name: 5 } };
}
