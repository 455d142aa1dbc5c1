import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { type ConnectOptions, McpServer, revisions } from "@mcp-codegen/universal";
import { connect } from "./support/connecting.js";

/** A fault that replaces a request to the server: it returns a response or throws an error. */
type Fault = () => Response;

const broken: Fault = () =>
  new Response(": a comment\n\nda", { headers: { "content-type": "text/event-stream" } });
const refused: Fault = () => {
  throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
};
const LOSSES = [
  ["a stream that ends too early", broken, "StreamEndedError"],
  ["a refused connection", refused, "HttpError"],
] as const;

/** Connects a client to a server of one revision. Its requests for tools and resources meet these faults in turn. */
async function losing(id: string, faults: Fault[], options: ConnectOptions = {}) {
  const server = new McpServer(
    { name: "notes", version: "1" },
    { revisions: revisions.filter((revision) => revision.id === id) },
  );
  server.registerTool("read", { annotations: { readOnlyHint: true } }, () => "read");
  server.registerTool("write", {}, () => "written");
  server.registerResource("note", "note:1", {}, () => "a note");
  const handler = createHttpHandler(server);
  onTestFinished(() => handler.close(0));
  const sent: { id: unknown; method: string }[] = [];
  const client = await connect("http://localhost/", {
    http: {
      fetch: async (url, init = {}) => {
        const request = new Request(url, init);
        const text = await request.clone().text();
        const message = (text === "" ? {} : JSON.parse(text)) as { id: unknown; method?: string };
        const { method = "" } = message;
        if (!/^(tools|resources)\//.test(method)) return handler(request);
        sent.push({ id: message.id, method });
        return faults.shift()?.() ?? handler(request);
      },
    },
    ...options,
  });
  expect(client.revision).toBe(id);
  return { client, sent };
}

describe.each(["2025-11-25", "2026-07-28"])("requests of %s over HTTP that are lost", (id) => {
  describe.each(LOSSES)("with %s", (_, fault, name) => {
    test("are sent again with a new id if they only read (RSM-08)", async () => {
      const { client, sent } = await losing(id, [fault]);
      expect((await client.listTools()).tools).toHaveLength(2);
      expect(sent.map(({ method }) => method)).toEqual(["tools/list", "tools/list"]);
      expect(new Set(sent.map((request) => request.id)).size).toBe(2);
    });

    test("are sent again once, then reject", async () => {
      const { client, sent } = await losing(id, [fault, fault]);
      await expect(client.readResource("note:1")).rejects.toMatchObject({ name });
      expect(sent).toHaveLength(2);
    });

    test("are not sent again if they call a tool", async () => {
      const { client, sent } = await losing(id, [fault]);
      await expect(client.callTool("read")).rejects.toMatchObject({ name });
      expect(sent).toHaveLength(1);
    });

    test("are sent again if the tool is declared safe and an option says so", async () => {
      const faults: Fault[] = [];
      const { client, sent } = await losing(id, faults, { retryLost: true });
      await client.listTools();
      faults.push(fault);
      expect(await client.callTool("read")).toMatchObject({ content: [{ text: "read" }] });
      faults.push(fault);
      await expect(client.callTool("write")).rejects.toMatchObject({ name });
      expect(sent.map(({ method }) => method)).toEqual([
        "tools/list",
        ...Array(3).fill("tools/call"),
      ]);
    });

    test("are sent again if the caller says so", async () => {
      const { client, sent } = await losing(id, [fault], { retryLost: () => true });
      expect(await client.callTool("write")).toMatchObject({ content: [{ text: "written" }] });
      expect(sent).toHaveLength(2);
    });
  });

  test.each([400, 403, 500, 502, 503])("are not sent again after a status %i", async (status) => {
    const retryLost = vi.fn(() => true);
    const { client, sent } = await losing(id, [() => new Response("no", { status })], {
      retryLost,
    });
    await expect(client.listTools()).rejects.toMatchObject({ name: "HttpError", status });
    expect(sent).toHaveLength(1);
    expect(retryLost).not.toHaveBeenCalled();
  });
});
