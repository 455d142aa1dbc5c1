import { type AuthInfo, createMcpHandler, McpServer, requireScopes } from "@mcp-codegen/sdk/server";
import { describe, expect, it } from "vitest";

function server(): McpServer {
  const one = new McpServer({ name: "notes", version: "1.0.0" });
  const scopeChallenge = requireScopes("notes:write");
  one.registerTool("write", { scopeChallenge }, () => ({
    content: [{ type: "text", text: "ok" }],
  }));
  one.registerPrompt("ask", { scopeChallenge }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "ok" } }],
  }));
  one.registerResource("note", "note://1", { scopeChallenge }, (uri) => ({
    contents: [{ uri: uri.href, text: "ok" }],
  }));
  return one;
}

async function call(method: string, params: object, scopes?: string[]): Promise<Response> {
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      host: "localhost",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const authInfo: AuthInfo | undefined = scopes && { token: "t", clientId: "app", scopes };
  return createMcpHandler(server).fetch(request, { authInfo });
}

describe.each([
  ["tools/call", { name: "write", arguments: {} }],
  ["prompts/get", { name: "ask" }],
  ["resources/read", { uri: "note://1" }],
])("requireScopes at %s", (method, params) => {
  it("refuses senders without a scope with 403 and names it", async () => {
    const response = await call(method, params, ["notes:read"]);
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('scope="notes:write"');
  });

  it("accepts others", async () => {
    for (const scopes of [["notes:write"], undefined]) {
      const response = await call(method, params, scopes);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("ok");
    }
  });
});

it("requireScopes rejects an invalid scope", () => {
  expect(() => (requireScopes as unknown as () => void)()).toThrow(TypeError);
  expect(() => requireScopes("a b")).toThrow(TypeError);
});
