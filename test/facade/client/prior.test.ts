import { listen } from "@mcp-codegen/runtime/http/node";
import {
  connect,
  connectInMemory,
  createHttpHandler,
  McpServer,
  revisions,
} from "@mcp-codegen/universal";
import { expect, onTestFinished, test } from "vitest";

function notes(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" }, { instructions: "Keep notes" });
  server.registerTool("ping", {}, () => "pong");
  return server;
}

test("a client that already knows the server connects without a request, and the knowledge can be stored as JSON", async () => {
  const http = await listen(createHttpHandler(notes()));
  onTestFinished(() => http.close());
  const first = await connect(http.url);
  onTestFinished(() => first.close());
  const prior = JSON.parse(JSON.stringify(first.discovered)) as unknown;
  let requests = 0;
  const counted: typeof fetch = (...request) => {
    requests += 1;
    return fetch(...request);
  };
  const second = await connect(http.url, { prior, http: { fetch: counted } });
  onTestFinished(() => second.close());
  expect(requests).toBe(0);
  expect(second.server).toEqual(first.server);
  expect(second.revision).toBe(first.revision);
  expect((await second.callTool("ping")).content).toEqual([{ type: "text", text: "pong" }]);
  expect(requests).toBe(1);
});

test("a server with sessions cannot be known in advance", async () => {
  const sessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  const client = await connect(await connectInMemory(notes()), { revisions: sessions });
  onTestFinished(() => client.close());
  expect(client.discovered).toBeUndefined();
});

test("an invalid discovery result is rejected before a request is sent", async () => {
  const connecting = connect(await connectInMemory(notes()), { prior: { supportedVersions: 7 } });
  await expect(connecting).rejects.toThrow(/prior must be the result of a discovery/);
});

test("prior knowledge of a server without a common revision is rejected by name", async () => {
  const client = await connect(await connectInMemory(notes()));
  onTestFinished(() => client.close());
  const prior = { ...(client.discovered as object), supportedVersions: ["2031-01-01"] };
  const connecting = connect(await connectInMemory(notes()), { prior });
  await expect(connecting).rejects.toThrow(/2031-01-01/);
});
