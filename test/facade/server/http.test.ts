import { describe, expect, it } from "vitest";
import type { HttpHandlerOptions } from "@mcp-codegen/runtime/http/server";
import { createHttpHandler } from "@mcp-codegen/universal";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";

const clientInfo = { name: "raw", version: "1" };

function envelopeOf(revision: string): object {
  return {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}

function serve(options: HttpHandlerOptions = {}) {
  const server = new McpServer();
  server.registerTool("at", {}, (ctx) => `${ctx.revision} ${String(ctx.header("x-test"))}`);
  server.registerTool("elicits", {}, async (ctx) => {
    const requestedSchema = { type: "object", properties: {} } as const;
    return (await ctx.elicit({ message: "?", requestedSchema })).action;
  });
  server.registerTool("requests", {}, async (ctx) => {
    const { roots } = await ctx.request("roots/list");
    return String(roots.length);
  });
  const handler = createHttpHandler(server, options);
  const post = (message: object, headers: Record<string, string>) =>
    handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          host: "localhost",
          "x-test": "yes",
          ...headers,
        },
      }),
    );
  return { post };
}

/** Returns the last message of an answer, whether it is JSON or a stream of events. */
async function messageOf(response: Response) {
  const text = await response.text();
  const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, line]) => line!);
  return JSON.parse(data.at(-1) ?? text);
}

describe("one URL for all revisions", () => {
  const { post } = serve();

  it.each(REVISIONS.filter((id) => id >= "2025-03-26"))("serves %s", async (revision) => {
    const call = { id: 2, method: "tools/call" };
    let response: Response;
    if (factsOf(revision).isAlone) {
      response = await post(
        { ...call, params: { name: "at", _meta: envelopeOf(revision) } },
        {
          "mcp-protocol-version": revision,
          "mcp-method": "tools/call",
          "mcp-name": "at",
        },
      );
    } else {
      const params = { protocolVersion: revision, capabilities: {}, clientInfo };
      const opened = await post({ id: 1, method: "initialize", params }, {});
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
      await opened.text();
      const headers = { ...session, "mcp-protocol-version": revision };
      await post({ method: "notifications/initialized" }, headers);
      response = await post({ ...call, params: { name: "at" } }, headers);
    }
    expect(response.status).toBe(200);
    expect((await messageOf(response)).result.content[0].text).toBe(`${revision} yes`);
  });
});

describe("a value of the host", () => {
  const seen: unknown[] = [];
  const server = new McpServer({
    capabilities: { tools: {} },
    middleware: [
      ({ method, context }, next) => {
        seen.push([method, context.locals]);
        return next();
      },
    ],
    handlers: {
      "tools/list": (_params, { locals }) => {
        seen.push(["handler", locals]);
        return { tools: [] };
      },
    },
  });
  const handler = createHttpHandler(server, { sessions: false });

  it.each(["2025-06-18", "2026-07-28"])(
    "reaches the middleware and the handler at %s",
    async (revision) => {
      const isStateless = revision === "2026-07-28";
      const request = () =>
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-protocol-version": revision,
            ...(isStateless && { "mcp-method": "tools/list" }),
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/list",
            params: isStateless ? { _meta: envelopeOf(revision) } : {},
          }),
        });
      const locals = { tenant: revision };
      await handler(request(), { locals });
      await handler(request());
      expect(seen.splice(0)).toEqual([
        ["tools/list", locals],
        ["handler", locals],
        ["tools/list", undefined],
        ["handler", undefined],
      ]);
    },
  );
});

it.each(["elicits", "requests"])(
  "a tool that %s without a session explains that the client cannot be asked",
  async (name) => {
    const { post } = serve({ sessions: false });
    const response = await post(
      { id: 1, method: "tools/call", params: { name } },
      { "mcp-protocol-version": "2025-11-25" },
    );
    const text =
      "A client of 2025-11-25 can only be asked in a session: see the server's option sessions";
    expect((await messageOf(response)).result).toEqual({
      isError: true,
      content: [{ type: "text", text }],
    });
  },
);
