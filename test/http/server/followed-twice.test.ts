import { listen } from "@mcp-codegen/runtime/http/node";
import type { HttpHandlerOptions } from "@mcp-codegen/runtime/http/server";
import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { connect, createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { expect, onTestFinished, test } from "vitest";

const URI = "notes://shared";
/** The resource that changes last. Its notification shows that no further one about {@link URI} is on its way. */
const LAST = "notes://last";

test.each<[string, () => HttpHandlerOptions]>([
  ["of this instance", () => ({})],
  ["shared by instances", () => ({ sessions: new SharedSessions(memoryStores()) })],
])(
  "a session %s and a stateless client that follow one resource receive each update once (T8)",
  async (_, options) => {
    const server = new McpServer({ name: "notes", version: "1.0.0" });
    for (const uri of [URI, LAST]) server.registerResource(uri, uri, {}, () => "text");
    const http = await listen(createHttpHandler(server, options()));
    onTestFinished(() => http.close());
    const revisions = ["2025-11-25", "2026-07-28"];
    const received: string[] = [];
    for (const revision of revisions) {
      const client = await connect(http.url, { revisions: [revision] });
      onTestFinished(() => client.close());
      for (const uri of [URI, LAST])
        await client.subscribe(uri, () => void received.push(`${revision} ${uri}`));
    }
    const countOf = (revision: string, uri: string): number =>
      received.filter((one) => one === `${revision} ${uri}`).length;
    for (const n of [1, 2, 3]) {
      server.resourceUpdated(URI);
      for (const revision of revisions) {
        await expect.poll(() => countOf(revision, URI)).toBeGreaterThanOrEqual(n);
      }
    }
    server.resourceUpdated(LAST);
    for (const revision of revisions) {
      await expect.poll(() => countOf(revision, LAST)).toBe(1);
      expect(countOf(revision, URI)).toBe(3);
    }
  },
);
