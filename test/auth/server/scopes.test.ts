import { createHttpHandler, InsufficientScopeError, McpServer } from "@mcp-codegen/universal";
import { describe, expect, it, onTestFinished } from "vitest";
import { RawClient, REVISIONS } from "./raw-client.js";

function serve(authenticate?: () => { principal: string; scopes: string[] } | "anonymous") {
  const server = new McpServer({ name: "scoped", version: "1" });
  server.registerTool("write", {}, (ctx) => {
    ctx.requireScopes("notes:read", "notes:write");
    return "written";
  });
  server.registerTool("late", {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new InsufficientScopeError(["notes:late"]);
  });
  server.registerTool("token", {}, (ctx) => String(ctx.header("Authorization")));
  const handler = createHttpHandler(server, authenticate ? { authenticate } : {});
  onTestFinished(() => handler.close(0));
  return handler;
}

const ada = (...scopes: string[]) => ({ principal: "ada", scopes });

describe.each(REVISIONS)("scopes that a handler requires at %s", (revision) => {
  it("are answered with 403 and a challenge that names all of them (AUTH-06, AUTH-07)", async () => {
    const client = new RawClient(
      serve(() => ada("notes:read")),
      { revision },
    );
    await client.open();
    const response = await client.call("write");
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", scope="notes:read notes:write"',
    );
    expect(await response.json()).toMatchObject({
      id: expect.any(Number),
      error: {
        code: -32600,
        message: "Insufficient scope: this request needs notes:read notes:write",
      },
    });
    const late = await client.call("late");
    expect([late.status, late.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('scope="notes:late"'),
    ]);
  });

  it("admit senders who have them", async () => {
    const client = new RawClient(
      serve(() => ada("notes:write", "notes:read")),
      { revision },
    );
    await client.open();
    expect((await client.call("write")).status).toBe(200);
  });

  it("are answered with 401 if the sender is unknown (AUTH-01)", async () => {
    for (const handler of [serve(() => "anonymous"), serve()]) {
      const client = new RawClient(handler, { revision });
      await client.open();
      const response = await client.call("write");
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe(
        'Bearer scope="notes:read notes:write"',
      );
    }
  });

  it("do not expose the token to handlers if senders are authenticated (ELIC-33)", async () => {
    const authorization = "Bearer secret-token";
    const client = new RawClient(
      serve(() => ada()),
      { revision, authorization },
    );
    await client.open();
    expect(await (await client.call("token")).text()).not.toContain("secret-token");
  });
});
