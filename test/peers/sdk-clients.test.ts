import { join } from "node:path";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const capabilities = { sampling: {}, roots: {}, elicitation: {} };
const info = { name: "theirs", version: "1.0.0" };

const sampled = {
  role: "assistant",
  model: "adder",
  content: { type: "text", text: "4" },
} as const;
const rooted = { roots: [{ uri: "file:///home/me" }] };
const elicited = { action: "accept", content: { name: "Ada" } } as const;

/** The members that both generations of the official client share. */
type Peer = Pick<
  ClientV1,
  | "callTool"
  | "listTools"
  | "listResources"
  | "readResource"
  | "getPrompt"
  | "ping"
  | "setLoggingLevel"
  | "close"
  | "getServerVersion"
  | "getInstructions"
>;

async function connectV1(args: string[], log: (data: unknown) => void): Promise<Peer> {
  const client = new ClientV1(info, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
  client.setRequestHandler(ListRootsRequestSchema, () => rooted);
  client.setRequestHandler(ElicitRequestSchema, () => elicited);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => log(params.data));
  await client.connect(new StdioV1({ command: process.execPath, args, stderr: "ignore" }));
  return client;
}

async function connectV2(args: string[], log: (data: unknown) => void): Promise<Peer> {
  const client = new ClientV2(info, { capabilities });
  client.setRequestHandler("sampling/createMessage", () => sampled);
  client.setRequestHandler("roots/list", () => rooted);
  client.setRequestHandler("elicitation/create", () => elicited);
  client.setNotificationHandler("notifications/message", ({ params }) => log(params.data));
  await client.connect(new StdioV2({ command: process.execPath, args, stderr: "ignore" }));
  // Its callTool takes the options in the place where the other takes a result schema.
  const callTool: Peer["callTool"] = async (params, _, options) =>
    (await client.callTool(params, options as never)) as never;
  return new Proxy(client as unknown as Peer, {
    get(target, name) {
      if (name === "callTool") return callTool;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

const cases = [
  { name: "sdk-v1", connect: connectV1 },
  { name: "sdk-v2", connect: connectV2 },
].flatMap((peer) => revisions.map((revision) => ({ ...peer, revision })));

describe.each(cases)("a client on $name and our server of $revision", ({ connect, revision }) => {
  const logged: unknown[] = [];
  let client: Peer;

  beforeAll(async () => {
    const args = [join(root, "test/fixtures/peers/our-server.mjs"), revision];
    client = await connect(args, (data) => logged.push(data));
  });
  afterAll(() => client.close());

  const call = async (name: string, input = {}) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text: string }[])[0]!.text;
  };

  it("receives version, capabilities and identity", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "ours" });
    expect(client.getInstructions()).toBe("Try them all.");
  });

  it("pings", async () => expect(await client.ping()).toEqual({}));

  it("lists and calls tools", async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
    expect(await call("echo", { value: "héllo ✓" })).toBe("héllo ✓");
    expect(await client.callTool({ name: "fail" })).toMatchObject({ isError: true });
  });

  it("reads resources and gets prompts", async () => {
    expect((await client.listResources()).resources).toHaveLength(1);
    expect((await client.readResource({ uri: "note://1" })).contents).toMatchObject([
      { text: "remember" },
    ]);
    const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
  });

  it("answers requests for samples, roots and input", async () => {
    expect(await call("sample")).toBe("4");
    expect(await call("roots")).toBe("file:///home/me");
    if (revision >= "2025-06-18") expect(await call("elicit")).toBe("accept Ada");
  });

  it("receives log messages", async () => {
    await client.setLoggingLevel("debug");
    expect(await call("log")).toBe("logged");
    expect(logged).toContain("from the tool");
  });

  it("receives progress", async () => {
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    await client.callTool({ name: "progress" }, undefined, { onprogress });
    expect(seen).toEqual([1, 2, 3]);
  });

  it("cancels a call and continues", async () => {
    const abort = new AbortController();
    const waiting = client.callTool({ name: "wait" }, undefined, { signal: abort.signal });
    abort.abort(new Error("never mind"));
    await expect(waiting).rejects.toThrow("never mind");
    expect(await client.ping()).toEqual({});
  });

  it("receives the failure of a handler without details", async () => {
    const failed = await client.callTool({ name: "nonsense" }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: -32603 });
    expect(String((failed as Error).message)).not.toMatch(/TypeError|not a function|\.mjs/);
  });
});
