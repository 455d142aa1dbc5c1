import { McpServer } from "@mcp-codegen/universal/server";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createHttpHandler,
  type HttpHandlerOptions,
  type ServerInstance,
} from "../../../runtime/http/server/index.js";
import { initialize, RawClient, tool } from "./serve.js";

const METADATA = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
const challenge = (url: string) => `Bearer realm="mcp", resource_metadata="${url}"`;

type Authenticate = Extract<
  NonNullable<HttpHandlerOptions["authenticate"]>,
  (...given: never[]) => unknown
>;

async function served(authenticate: Authenticate): Promise<RawClient> {
  const server = new McpServer({ name: "scoped", version: "1.0.0" });
  server.registerTool("write", {}, (ctx) => {
    ctx.requireScopes("notes:write");
    return "written";
  });
  const handler = createHttpHandler(server as unknown as ServerInstance, { authenticate });
  onTestFinished(() => handler.close(0));
  const url = "http://localhost/mcp";
  const fetched = (init?: RequestInit) => handler(new Request(url, init));
  const client = new RawClient({ name: "web", url, handler, fetch: fetched });
  return client;
}

/** Returns the challenge in the 403 response to a caller that lacks the scope. */
async function forbidden(client: RawClient): Promise<string | null> {
  client.headers["Authorization"] = "Bearer good";
  await client.initialize("2025-11-25");
  const response = await client.post(tool(1, "write"));
  expect(response.status).toBe(403);
  return response.headers.get("www-authenticate");
}

const plain = 'Bearer error="insufficient_scope", scope="notes:write"';

describe("a 403 that authenticate returns", () => {
  it.each([
    ["at once", (value: unknown) => value],
    ["later", (value: unknown) => Promise.resolve(value)],
  ])(
    "repeats the resource_metadata of its 401, returned %s (AUTH-50, AUTH-51)",
    async (_, give) => {
      const client = await served(({ header }) => {
        const isKnown = header("authorization") === "Bearer good";
        const refusal = { status: 401, headers: { "www-authenticate": challenge(METADATA) } };
        return give(isKnown ? { principal: "ada", scopes: [] } : refusal) as never;
      });
      expect((await client.post(initialize("2025-11-25"))).status).toBe(401);
      expect(await forbidden(client)).toBe(`${plain}, resource_metadata="${METADATA}"`);
    },
  );

  it("names no metadata if its 401 names none, or if there are several", async () => {
    let count = 0;
    for (const headers of [
      () => undefined,
      () => ({ "WWW-Authenticate": "Basic" }),
      () => ({ "WWW-Authenticate": challenge(`${METADATA}${count++}`) }),
    ]) {
      const client = await served(({ header }) =>
        header("authorization") === "Bearer good"
          ? { principal: "ada", scopes: [] }
          : { status: 401, headers: headers() },
      );
      for (let tries = 0; tries < 3; tries++) await client.post(initialize("2025-11-25"));
      expect(await forbidden(client)).toBe(plain);
    }
  });
});
