import { beforeAll, describe, expect, it, vi } from "vitest";
import * as universal from "@mcp-codegen/universal";
import * as pinned from "@mcp-codegen/runtime";
import * as features from "@mcp-codegen/runtime/features";
import { McpServer, REVISIONS } from "./server/support/server.js";
import { Talk } from "./server/support/talk.js";

/** Second copies of the packages, as in a project that installs two folders with a runtime each. */
let other: typeof universal;
let otherRuntime: typeof pinned;
let otherFeatures: typeof features;

beforeAll(async () => {
  vi.resetModules();
  other = await import("@mcp-codegen/universal");
  otherRuntime = await import("@mcp-codegen/runtime");
  otherFeatures = await import("@mcp-codegen/runtime/features");
});

it("the second copy is another one", () => {
  expect(other.RpcError).not.toBe(universal.RpcError);
  expect(other.ToolError).not.toBe(universal.ToolError);
});

function throwing(error: () => Error) {
  const server = new McpServer();
  server.registerTool("fail", {}, () => {
    throw error();
  });
  server.registerResource("gone", "demo://gone", {}, () => {
    throw error();
  });
  return server;
}

describe.each(REVISIONS)("a server of %s whose handlers use errors of another copy", (revision) => {
  async function both(error: (from: typeof universal) => Error) {
    const answers = [universal, other].map(async (from) => {
      const server = throwing(() => error(from));
      const talk = await Talk.with(server, revision);
      const tool = await talk.call("tools/call", { name: "fail" });
      const read = await talk.call("resources/read", { uri: "demo://gone" });
      return { tool, read, reports: server.reports.map(({ message }) => message) };
    });
    const [near, far] = await Promise.all(answers);
    expect(far).toEqual(near);
    return far!;
  }

  it("sends an RpcError unchanged", async () => {
    const { tool, read, reports } = await both(({ RpcError }) => new RpcError(-31_999, "mine", 1));
    expect(tool.error).toEqual({ code: -31_999, message: "mine", data: 1 });
    expect(read.error).toEqual(tool.error);
    expect(reports).toEqual([]);
  });

  it("converts errors of resources, tools and scopes as its own", async () => {
    const gone = await both(({ ResourceNotFoundError }) => new ResourceNotFoundError("demo://x"));
    expect(gone.read.error.message).toBe('Resource not found: "demo://x"');
    const failed = await both(({ ToolError }) => new ToolError("no such deployment"));
    expect(failed.tool.result.content[0].text).toBe("no such deployment");
    await both(({ InsufficientScopeError }) => new InsufficientScopeError(["deploy"]));
    await both(({ UnavailableError }) => new UnavailableError("the store"));
  });

  it("converts an error with an outcome of its own", async () => {
    const urls = [{ message: "Log in", url: "https://a.example/", elicitationId: "1" }];
    await both(({ UrlElicitationRequiredError }) => new UrlElicitationRequiredError(urls));
  });

  it("accepts structured content", async () => {
    const server = new McpServer();
    const outputSchema = { type: "object", properties: { content: { type: "string" } } } as const;
    server.registerTool("page", { outputSchema }, () => other.structured({ content: "x" }));
    const talk = await Talk.with(server, revision);
    const { result } = await talk.call("tools/call", { name: "page" });
    expect(JSON.parse(result.content[0].text)).toEqual({ content: "x" });
  });
});

describe("classes of errors in two copies", () => {
  it("recognize the instances of each other, with those of subclasses", () => {
    const timeout = new otherRuntime.RequestTimeoutError("tools/call", 5);
    expect(timeout).toBeInstanceOf(pinned.RequestTimeoutError);
    expect(timeout).toBeInstanceOf(pinned.LocalError);
    expect(timeout).not.toBeInstanceOf(pinned.RpcError);
    expect(timeout).not.toBeInstanceOf(pinned.ConnectionClosedError);
    expect(new other.InsufficientScopeError([])).toBeInstanceOf(universal.RpcError);
    expect(new otherFeatures.UserRejectedError()).toBeInstanceOf(features.UserRejectedError);
    expect(new otherFeatures.ToolError()).not.toBeInstanceOf(universal.RpcError);
  });

  it("keep subclasses of programs apart", () => {
    class Quota extends universal.RpcError {}
    class OtherQuota extends other.RpcError {}
    expect(new OtherQuota(1, "x")).toBeInstanceOf(universal.RpcError);
    expect(new OtherQuota(1, "x")).not.toBeInstanceOf(Quota);
    expect(new universal.RpcError(1, "x")).not.toBeInstanceOf(Quota);
    expect(new Quota(1, "x")).toBeInstanceOf(Quota);
    expect(new Quota(1, "x").name).toBe("RpcError");
  });

  it.each([
    undefined,
    null,
    1,
    "text",
    {},
    Object.create(null),
    new Error("x"),
    { constructor: 1 },
  ])("recognize no other value: %o", (value) => {
    expect(value instanceof universal.RpcError).toBe(false);
    expect(value instanceof universal.ToolError).toBe(false);
  });
});

it("a tool does not pass on an error that a client of another copy has received", async () => {
  const far = new McpServer();
  far.registerTool("fail", {}, () => {
    throw new universal.RpcError(-31_999, "secret");
  });
  const client = await other.connect(await other.connectInMemory(far));
  const server = new McpServer();
  const seen: unknown[] = [];
  server.registerTool("ask", {}, async () => {
    const error: unknown = await client.callTool("fail").catch((reason: unknown) => reason);
    seen.push(error);
    throw error;
  });
  const talk = await Talk.with(server, REVISIONS[0]!);
  const { result } = await talk.call("tools/call", { name: "ask" });
  expect(seen).toEqual([expect.any(universal.RpcError)]);
  expect(result).toMatchObject({ isError: true, content: [{ text: 'The tool "ask" failed' }] });
  await client.close();
});
