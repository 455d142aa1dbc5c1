import { describe, expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { type ConnectOptions, connectInMemory, type McpClient } from "@mcp-codegen/universal";
import { answerForm, clientAt, IDS, outcomeOf, upstreamAt } from "./support/stage.js";

type Case = (client: McpClient) => Promise<unknown>;

const withoutMeta = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, one) => (name === "_meta" ? undefined : (one as unknown))) ??
      "null",
  );

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Requests of each kind, each with the result that a client receives. */
const CASES: Readonly<Record<string, Case>> = {
  list: async (client) => (await client.listTools()).tools,
  pages: async (client) => {
    const lengths: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.request("tools/list", cursor === undefined ? {} : { cursor });
      lengths.push(page.tools.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return lengths;
  },
  cursor: (client) => client.request("tools/list", { cursor: "nothing" }),
  prompts: async (client) => (await client.listPrompts()).prompts,
  resources: async (client) => (await client.listResources()).resources,
  templates: async (client) => (await client.listResourceTemplates()).resourceTemplates,
  call: (client) => client.callTool("echo", { text: "hi" }),
  invalid: (client) => client.callTool("echo", { text: 7 }),
  unknown: (client) => client.callTool("nothing"),
  structured: (client) => client.callTool("structured"),
  blocks: (client) => client.callTool("blocks"),
  failed: (client) => client.callTool("failed"),
  refused: (client) => client.callTool("refused"),
  progress: async (client) => {
    const seen: unknown[] = [];
    await client.callTool("steps", {}, { onprogress: (one) => seen.push(one) });
    return seen;
  },
  meta: (client) =>
    client.callTool({
      name: "meta",
      arguments: {},
      _meta: { "acme/key": 1, traceparent: TRACE, tracestate: "acme=1" },
    }),
  form: (client) => client.callTool("pay"),
  forms: (client) => client.callTool("twice"),
  both: (client) => client.callTool("both"),
  "asking prompt": (client) => client.getPrompt("asking"),
  "asking resource": (client) => client.readResource("notes://asking"),
  url: (client) => client.callTool("visit"),
  sampling: (client) => client.callTool("sample"),
  roots: (client) => client.callTool("roots"),
  prompt: (client) => client.getPrompt("greet", { who: "Ada" }),
  read: (client) => client.readResource("notes://motd"),
  template: (client) => client.readResource("notes://users/7"),
  missing: (client) => client.readResource("notes://users/8"),
  completion: (client) =>
    client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "who", value: "" },
    }),
  templateCompletion: (client) =>
    client.complete({
      ref: { type: "ref/resource", uri: "notes://users/{id}" },
      argument: { name: "id", value: "" },
    }),
};

async function run(client: McpClient): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const [name, test] of Object.entries(CASES)) {
    seen[name] = withoutMeta(await outcomeOf(test(client)));
  }
  return seen;
}

/**
 * Makes results comparable. Texts differ if a revision lacks something that another client merely does not declare. The
 * code for a missing resource is the one of the client's revision.
 */
function comparable(seen: Record<string, unknown>): unknown {
  const text = JSON.stringify(seen)
    .replaceAll(/This needs [^"]*capability ([\w.]+)[^"]*/g, "lacks $1")
    .replaceAll("-32002", "-32602");
  return JSON.parse(text);
}

/** Returns options for a client that has the same abilities as one of another revision. */
function abilitiesOf(id: string): ConnectOptions {
  if (id < "2025-06-18") return { onElicit: undefined };
  if (id < "2025-11-25") return { onElicit: { form: answerForm } };
  return {};
}

describe.each(IDS)("a client of %s, before a server", (down) => {
  it.each(IDS)("of %s", async (up) => {
    const behind = upstreamAt(up);
    const server = await bridge(() => connectInMemory(behind.server), { onerror: () => {} });
    onTestFinished(() => server.close());
    const through = await clientAt(down, server);
    const seen = await run(through.client);

    const less = down < up ? down : up;
    const common = await clientAt(less, upstreamAt(less).server);
    const expected = await run(common.client);
    const direct = upstreamAt(up);
    const alike = await clientAt(up, direct.server, abilitiesOf(down));
    const { invalid } = await run(alike.client);
    // The server's revision decides whether invalid arguments cause an error or a result.
    expect(comparable(seen)).toEqual(comparable({ ...expected, invalid }));
    expect(JSON.stringify(seen["meta"])).toContain(TRACE);
    expect(JSON.stringify(seen["templateCompletion"])).toContain('["7"]');
    expect(through.requested).toEqual(common.requested);
    expect(behind.effects).toEqual(direct.effects);
  });
});
