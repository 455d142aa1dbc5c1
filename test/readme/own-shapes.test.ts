import {
  connect,
  connectInMemory,
  createHttpHandler,
  type McpServerOptions,
  McpServer,
  type ConnectOptions,
  revisions,
  RpcError,
  ToolError,
} from "@mcp-codegen/universal";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";

/*
 * Rows of "Behaviour that differs" in runtime/docs/own-shapes.md: a row whose behaviour changes
 * must be rewritten.
 */

const older = revisions.filter(({ id }) => id === "2025-11-25");

interface Around {
  readonly server?: McpServerOptions;
  readonly client?: ConnectOptions;
}

/** Connects a client to a server that `prepare` has filled. */
async function clientOf(prepare: (server: McpServer) => void, { server, client }: Around = {}) {
  const made = new McpServer({ name: "moved", version: "1.0.0" }, { onerror() {}, ...server });
  prepare(made);
  const connected = await connect(await connectInMemory(made), { onerror() {}, ...client });
  onTestFinished(() => connected.close());
  return connected;
}

const throwing = (error: Error) => (server: McpServer) => {
  server.registerTool("tool", {}, () => {
    throw error;
  });
};

/** Returns the content of a call whose tool throws. */
const textOf = async (error: Error, server: McpServerOptions = {}) =>
  (await (await clientOf(throwing(error), { server })).callTool("tool")).content;

/** Returns the HTTP status of a request from an older client without a session. */
const statusOf = async (options: object) => {
  const server = new McpServer({ name: "moved", version: "1.0.0" });
  server.registerTool("tool", {}, () => "done");
  const handler = createHttpHandler(server, options);
  const answer = await handler(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    }),
  );
  return answer.status;
};

describe("what differs from the official SDK", () => {
  it("hides the text of an error in a tool, unless the error or an option says otherwise", async () => {
    expect(await textOf(new Error("secret"))).toEqual([
      { type: "text", text: 'The tool "tool" failed' },
    ]);
    expect(await textOf(new Error("known"), { errorText: String })).toMatchObject([
      { text: "Error: known" },
    ]);
    expect(await textOf(new ToolError("for the model"))).toMatchObject([{ text: "for the model" }]);
  });

  it("rejects a call whose tool throws an RpcError", async () => {
    const client = await clientOf(throwing(new RpcError(-32602, "no such note")));
    await expect(client.callTool("tool")).rejects.toMatchObject({ code: -32602 });
  });

  it("rejects structured content that violates its schema", async () => {
    const client = await clientOf((server) => {
      const outputSchema = z.object({ sum: z.number() });
      server.registerTool("tool", { outputSchema }, () => ({ sum: "three" }) as never);
    });
    await expect(client.callTool("tool")).rejects.toMatchObject({ code: -32603 });
  });

  it("hides errors of prompts and resources, unless they are an RpcError", async () => {
    const client = await clientOf((server) => {
      server.registerPrompt("prompt", {}, () => {
        throw new Error("secret");
      });
      server.registerResource("note", "note://1", {}, () => {
        throw new Error("secret");
      });
      server.registerResource("other", "note://2", {}, () => {
        throw new RpcError(-32001, "told");
      });
    });
    for (const requested of [client.getPrompt("prompt"), client.readResource("note://1")])
      await expect(requested).rejects.toThrow(/^(?!.*secret).*Internal error/);
    await expect(client.readResource("note://2")).rejects.toThrow("told");
  });

  it("opens sessions for older clients over HTTP, unless an option says otherwise", async () => {
    expect(await statusOf({})).toBe(400);
    expect(await statusOf({ sessions: false })).toBe(200);
  });

  it("wraps an array for older clients, and sends it as text, too", async () => {
    const client = await clientOf(
      (server) =>
        server.registerTool("tool", { outputSchema: z.array(z.number()) }, () => [1, 2] as never),
      { client: { revisions: older } },
    );
    const { content, structuredContent } = await client.callTool("tool");
    expect(structuredContent).toEqual({ result: [1, 2] });
    expect(content).toMatchObject([{ type: "text", text: "[1,2]" }]);
  });

  it("drops log messages that were not requested, also those sent as notifications", async () => {
    const client = await clientOf((server) => {
      server.registerTool("log", {}, (ctx) => {
        ctx.log("error", "nobody asked");
        return "done";
      });
      server.registerTool("notify", {}, async (ctx) => {
        const params = { level: "error", data: "nobody asked" };
        await ctx.mcpReq.notify({ method: "notifications/message", params } as never);
        return "done";
      });
    });
    expect((await client.callTool("log")).content).toMatchObject([{ text: "done" }]);
    expect((await client.callTool("notify")).content).toMatchObject([{ text: "done" }]);
  });

  it("lists the same definitions to all clients", async () => {
    const server = new McpServer({ name: "moved", version: "1.0.0" });
    const first = server.registerTool("first", {}, () => "done");
    const clients = [
      await connect(await connectInMemory(server)),
      await connect(await connectInMemory(server)),
    ];
    first.update({ description: "changed" });
    for (const client of clients) {
      const { tools } = await client.listTools();
      expect(tools.map(({ description }) => description)).toEqual(["changed"]);
      await client.close();
    }
  });
});
