import { describe, expect, it } from "vitest";
import { META, revision, serve, Wire } from "./support/wire.js";

describe("headers of stateless requests", () => {
  it("are sent with one POST per message, which accepts JSON and events (SHTTP-05, SHTTP-07, SHTTP-12)", async () => {
    const server = await serve();
    const wire = new Wire(server.url);
    await wire.request("server/discover");
    await wire.request("tools/list");
    await wire.transport.send({ jsonrpc: "2.0", method: "acme/hello" });
    expect(server.seen.map(({ method, body }) => [method, body.method])).toEqual([
      ["POST", "server/discover"],
      ["POST", "tools/list"],
      ["POST", "acme/hello"],
    ]);
    for (const { headers } of server.seen) {
      expect(headers.accept).toBe("application/json, text/event-stream");
      expect(headers["content-type"]).toBe("application/json");
      expect(headers["mcp-session-id"]).toBeUndefined();
    }
  });

  it("repeat revision and method (HDR-01, HDR-07, SHTTP-08)", async () => {
    const server = await serve();
    const wire = new Wire(server.url);
    await wire.request("resources/list");
    const [{ headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect(headers["mcp-protocol-version"]).toBe(revision.id);
    expect(headers["mcp-protocol-version"]).toBe(
      body.params["_meta"]["io.modelcontextprotocol/protocolVersion"],
    );
    expect(headers["mcp-method"]).toBe("resources/list");
    expect(headers["mcp-name"]).toBeUndefined();
  });

  it("name the revision that the body names, whichever was agreed on (HDR-01)", async () => {
    const server = await serve();
    const wire = new Wire(server.url);
    const other = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    await wire.request("server/discover", { _meta: other });
    expect(server.seen[0]!.headers["mcp-protocol-version"]).toBe("2099-01-01");
  });

  it("repeat the names of tools, prompts and resources unchanged (HDR-08)", async () => {
    const server = await serve();
    const wire = new Wire(server.url);
    await wire.request("tools/call", { name: "Test_Headers" });
    await wire.request("prompts/get", { name: "test prompt" });
    await wire.request("resources/read", { uri: "file:///path/to/file%20name.txt" });
    expect(server.seen.map(({ headers }) => headers["mcp-name"])).toEqual([
      "Test_Headers",
      "test prompt",
      "file:///path/to/file%20name.txt",
    ]);
  });

  it("repeat the names in extension requests if the extension defines that (HDR-09)", async () => {
    const server = await serve();
    const nameHeaders = { "tasks/get": "taskId", "tools/list": "cursor" };
    const wire = new Wire(server.url, { nameHeaders });
    await wire.request("tasks/get", { taskId: "7" });
    await wire.request("tasks/cancel", { taskId: "7" });
    await wire.request("tools/list", { cursor: "2" });
    expect(server.seen.map(({ headers }) => headers["mcp-name"])).toEqual([
      "7",
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["us-west1", "us-west1"],
    ["us west 1", "us west 1"],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["\tindented", "=?base64?CWluZGVudGVk?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
    ["日本語", "=?base64?5pel5pys6Kqe?="],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    ["", ""],
    ["=?base64?aGk=?=", "=?base64?PT9iYXNlNjQ/YUdrPT89?="],
    ["=?BASE64?aGk=?=", "=?BASE64?aGk=?="],
    ["a\tb", "=?base64?YQli?="],
  ])("send %j as %j (HDR-10, HVAL-02, HVAL-03, HVAL-04, HVAL-07)", async (name, field) => {
    const server = await serve();
    const wire = new Wire(server.url);
    await wire.request("tools/call", { name });
    expect(server.seen[0]!.headers["mcp-name"]).toBe(field);
  });

  it("replace the user's headers of the same name, and leave the others", async () => {
    const server = await serve();
    const headers = { "Mcp-Method": "ping", "MCP-Protocol-Version": "1", "X-Api-Key": "k" };
    const wire = new Wire(server.url, { headers });
    await wire.request("tools/list");
    expect(server.seen[0]!.headers).toMatchObject({
      "mcp-method": "tools/list",
      "mcp-protocol-version": revision.id,
      "x-api-key": "k",
    });
  });
});
