import { McpServer } from "@mcp-codegen/universal/server";
import { describe, expect, it, vi } from "vitest";
import {
  eachRevision,
  judge,
  type KitMatchers,
  matchers,
  testClient,
  TestClientError,
} from "@mcp-codegen/testing";

declare module "vitest" {
  interface Matchers<T> extends KitMatchers<T> {}
}

expect.extend(matchers);

function createServer(): McpServer {
  const server = new McpServer({ name: "deployer", version: "1.0.0" });
  server.registerTool(
    "deploy",
    { inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] } },
    async ({ to }, ctx) => {
      const { action } = await ctx.elicit({
        message: `Deploy to ${String(to)}?`,
        requestedSchema: { type: "object", properties: {} },
      });
      return action === "accept" ? "deployed" : "cancelled";
    },
  );
  server.registerTool("fail", {}, () => ({
    content: [{ type: "text", text: "no such file" }],
    isError: true,
  }));
  server.registerTool("crash", {}, () => {
    throw new Error("out of memory");
  });
  server.registerTool("lose", {}, () => ({
    content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }],
  }));
  return server;
}

describe("testClient", () => {
  eachRevision(it, "answers requests in their order", async (revision) => {
    if (!revision.methods.has("elicitation/create")) return;
    await using client = await testClient(createServer(), {
      revision,
      answers: [
        { action: "accept" },
        ({ message }) => ({ action: message ? "decline" : "accept" }),
      ],
    });
    const texts = [
      await client.callTool("deploy", { to: "test" }),
      await client.callTool("deploy", { to: "production" }),
    ].map(({ content }) => content);
    expect(texts).toEqual([
      [{ type: "text", text: "deployed" }],
      [{ type: "text", text: "cancelled" }],
    ]);
    expect(client).toAskFor({ message: /production/ });
  });

  it("rejects a request without a response", async () => {
    const client = await testClient(createServer(), { revision: "2025-11-25", answers: [] });
    await expect(client.callTool("deploy", { to: "test" })).rejects.toThrow(
      "The server sent request 1 (elicitation: ",
    );
    await client.close();
  });

  it("rejects an answer of another kind", async () => {
    const client = await testClient(createServer(), {
      answers: [{ content: { type: "text", text: "Yes" } }],
    });
    await expect(client.callTool("deploy", { to: "test" })).rejects.toThrow("is for sampling");
    await client.close().catch(() => {});
  });

  it("rejects an answer that is not used", async () => {
    const client = await testClient(createServer(), { answers: [{ action: "accept" }] });
    await expect(client.close()).rejects.toThrow('for the answer {"action":"accept"}');
  });

  it("rejects an error that the tool hides, unless it is allowed", async () => {
    const client = await testClient(createServer());
    const failure = await client.callTool("crash").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TestClientError);
    expect((failure as TestClientError).message).toContain("out of memory");
    await client.close();
    await using tolerant = await testClient(createServer(), { failOnError: false });
    expect(await tolerant.callTool("crash")).toBeToolError();
  });

  it("rejects a value that the revision cannot express, unless it is allowed", async () => {
    const client = await testClient(createServer(), { revision: "2024-11-05" });
    await expect(client.callTool("lose")).rejects.toThrow("2024-11-05 cannot express tools/call");
    await client.close();
    await using tolerant = await testClient(createServer(), {
      revision: "2024-11-05",
      failOnLoss: false,
    });
    expect(await tolerant.callTool("lose")).toHaveProperty("content");
  });

  it("names the revisions if there is none with that id", async () => {
    await expect(testClient(createServer(), { revision: "2025-01-01" })).rejects.toThrow(
      "the bundled ones are 2026-07-28, 2025-11-25",
    );
  });

  it("records the messages of both sides", async () => {
    await using client = await testClient(createServer(), { revision: "2025-11-25" });
    await client.callTool("fail");
    const methods = client.lines.map(({ message }) => (message as { method?: string }).method);
    expect(methods.filter(Boolean)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
    ]);
  });
});

describe("judge", () => {
  it("finds nothing in a server without a fault", async () => {
    await using client = await testClient(createServer());
    await client.listTools();
    await client.callTool("fail");
    expect(judge(client)).toEqual([]);
    expect(judge(client, { from: "client" })).toEqual([]);
  });

  it("prints nothing about its own invalid messages, but what a tool has thrown", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await judge(createServer())).toEqual([]);
    expect(print).not.toHaveBeenCalled();
    await judge(createServer(), { calls: [{ tool: "crash", arguments: {} }] });
    expect(print).toHaveBeenCalledWith(expect.objectContaining({ message: "out of memory" }));
    print.mockRestore();
  });

  it("finds two tools of one name", async () => {
    await using client = await testClient(createServer(), { revision: "2025-11-25" });
    const { tools } = await client.listTools();
    const lines = client.lines.map((line) => {
      const { result } = line.message as { readonly result?: { readonly tools?: unknown } };
      if (result?.tools === undefined) return line;
      const message = { ...(line.message as object), result: { tools: [tools[0], tools[0]] } };
      return { ...line, message };
    });
    const found = judge({ lines });
    expect(found.map(({ id, pointer }) => `${id} ${pointer}`)).toEqual([
      "name-repeated /result/tools/1/name",
    ]);
  });
});

describe("matchers", () => {
  it("toBeToolError names pointer, expected and received", async () => {
    await using client = await testClient(createServer());
    const result = await client.callTool("fail");
    expect(result).toBeToolError(/no such/);
    expect(() => expect(result).toBeToolError("permission")).toThrow(
      '/content: expected permission, received "no such file"',
    );
    expect(() => expect({ content: [] }).toBeToolError()).toThrow(
      "/isError: expected true, received nothing",
    );
  });

  it("toBeValid names pointer, expected and received", async () => {
    await expect({ name: "a", inputSchema: { type: "object" } }).toBeValid("2025-11-25", "Tool");
    await expect(
      expect({ name: 7, inputSchema: { type: "object" } }).toBeValid("2025-11-25", "Tool"),
    ).rejects.toThrow("/name: expected string, received 7");
  });

  it("toMatchContract compares with a lock file", async () => {
    await using client = await testClient(createServer(), { revision: "2025-11-25" });
    const { tools } = await client.listTools();
    const lock = { servers: { deployer: { tools: tools.map((definition) => ({ definition })) } } };
    await expect(client).toMatchContract(lock, "deployer");
    lock.servers.deployer.tools[0]!.definition = { ...tools[0]!, description: "Deploys" };
    await expect(expect(client).toMatchContract(lock, "deployer")).rejects.toThrow(
      'tools deploy /description: expected "Deploys", received nothing',
    );
  });
});
