import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { listen } from "@mcp-codegen/runtime/http/node";
import { connectInMemory, createHttpHandler } from "@mcp-codegen/universal";
import { IDS, upstreamAt } from "./support/stage.js";

const authenticate = () => ({ principal: "ada" });
const info = { name: "theirs", version: "1.0.0" };
const capabilities = { sampling: {}, roots: {}, elicitation: { form: {} } };
const form = () => ({ action: "accept", content: { code: "42" } }) as const;
const sample = () =>
  ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "m" }) as const;
const roots = () => ({ roots: [{ uri: "file:///work", name: "work" }] });

/** The members that both generations of the official client have in common. */
type Peer = Pick<ClientV1, "listTools" | "readResource" | "getPrompt" | "close"> & {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<object>;
};

async function connectV1(url: URL): Promise<Peer> {
  const client = new ClientV1(info, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, sample);
  client.setRequestHandler(ListRootsRequestSchema, roots);
  client.setRequestHandler(ElicitRequestSchema, form);
  await client.connect(new HttpV1(url) as never);
  return client;
}

const connectV2 =
  (mode: "legacy" | "auto") =>
  async (url: URL): Promise<Peer> => {
    const client = new ClientV2(info, { versionNegotiation: { mode }, capabilities });
    client.setRequestHandler("sampling/createMessage", () => sample() as never);
    client.setRequestHandler("roots/list", () => roots() as never);
    client.setRequestHandler("elicitation/create", () => form() as never);
    await client.connect(new HttpV2(url));
    return client as unknown as Peer;
  };

describe.each([
  ["SDK 1", connectV1],
  ["SDK 2, in a session", connectV2("legacy")],
  ["SDK 2, stateless", connectV2("auto")],
])("a client on %s", (_, open) => {
  it.each(IDS)("before a server of %s", async (up) => {
    const { server: upstream, effects } = upstreamAt(up);
    const server = await bridge(() => connectInMemory(upstream), { onerror: () => {} });
    const http = await listen(createHttpHandler(server, { authenticate }));
    onTestFinished(async () => {
      await http.close();
      await server.close();
    });
    const client = await open(new URL(http.url));
    const text = async (name: string, args = {}) => {
      const { content } = (await client.callTool({ name, arguments: args })) as {
        content: readonly { text?: string }[];
      };
      return content[0]?.text;
    };
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(await text("echo", { text: "hi" })).toBe("upstream: hi");
    expect(await text("sample")).toContain("Paris");
    expect(await text("roots")).toContain("file:///work");
    if (up >= "2025-06-18") expect(await text("pay")).toBe("accept 42");
    const rounds = up === "2026-07-28" ? 2 : 1;
    expect(effects).toMatchObject({ echo: 1, sample: rounds, roots: rounds });
    const { contents } = await client.readResource({ uri: "notes://motd" });
    expect(contents[0]).toMatchObject({ text: "Be kind" });
    const { messages } = await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
    expect(messages).toHaveLength(1);
    await client.close();
  });
});
