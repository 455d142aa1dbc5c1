import { describe, expect, it } from "vitest";
import * as r20241105 from "../../../generated/2024-11-05/index.js";
import * as r20250326 from "../../../generated/2025-03-26/index.js";
import * as r20250618 from "../../../generated/2025-06-18/index.js";
import * as r20251125 from "../../../generated/2025-11-25/index.js";
import {
  createHttpHandler,
  createSseHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { HttpClientTransport } from "../../../runtime/http/client/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { closeAfter, until } from "./support/clients.js";
import { toolResult } from "./support/mcp-server.js";

/**
 * The type of all packages, taken from the newest one. In the parts that these tests use, older ones behave the same.
 */
type Package = Pick<typeof r20251125, "Client" | "Server">;

const packages = {
  "2024-11-05": r20241105 as unknown as Package,
  "2025-03-26": r20250326 as unknown as Package,
  "2025-06-18": r20250618 as unknown as Package,
  "2025-11-25": r20251125 as unknown as Package,
};

function serverOf({ Server }: Package): r20251125.Server {
  return new Server(
    { name: "own", version: "1.0.0" },
    {
      "tools/list": () => ({ tools: [] }),
      "tools/call": async ({ name }, { request, notify, releaseStream }) => {
        if (name === "poll") {
          releaseStream(100);
          await new Promise((resolve) => setTimeout(resolve, 300));
          return toolResult("fetched") as r20251125.CallToolResult;
        }
        await notify("notifications/message", { level: "info", data: "asking" });
        const { roots } = await request("roots/list");
        return toolResult(roots[0]!.uri) as r20251125.CallToolResult;
      },
    },
    { capabilities: { logging: {} } },
  );
}

const transports: [string, Parameters<typeof serve>[1]][] = [
  ["Streamable HTTP", {}],
  ["Streamable HTTP with JSON only", { responses: "json" }],
  ["HTTP+SSE", "sse"],
];

async function serve(
  given: Package,
  options: HttpHandlerOptions | "sse",
): Promise<{ url: string; close(): Promise<void> }> {
  const server = serverOf(given);
  const handler =
    options === "sse"
      ? createSseHandler(server, { messagePath: "/mcp/messages" })
      : createHttpHandler(server, options);
  return listen(options === "sse" ? { "/mcp": handler, "/mcp/messages": handler } : handler);
}

describe.each(transports)("our own server over %s", (_, options) => {
  it.each(Object.keys(packages) as (keyof typeof packages)[])(
    "exchanges requests, notifications and responses at %s",
    async (revision) => {
      const server = closeAfter(await serve(packages[revision], options));
      const notified: unknown[] = [];
      const client = closeAfter(
        new packages[revision].Client(
          { name: "ours", version: "1.0.0" },
          {
            "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
            "notifications/message": ({ data }) => void notified.push(data),
          },
        ),
      );
      await client.connect(new HttpClientTransport(server.url));
      expect(client.revision).toBe(revision);
      expect(await client.callTool({ name: "ask" })).toMatchObject(toolResult("file:///home"));
      await until(() => notified.length === 1);
      expect(await client.callTool({ name: "poll" })).toMatchObject(toolResult("fetched"));
      expect(await client.ping()).toEqual({});
      await client.close();
    },
  );
});
