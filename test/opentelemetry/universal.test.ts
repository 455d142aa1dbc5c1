import { SpanKind } from "@opentelemetry/api";
import { connect, createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { revision as handshake } from "@mcp-codegen/universal/2025-06-18";
import { revision as stateless } from "@mcp-codegen/universal/2026-07-28";
import { onTestFinished, expect, it } from "vitest";
import { listen } from "@mcp-codegen/runtime/http/node";
import { tracing } from "../../runtime/opentelemetry/index.js";
import { idOf, parentOf, setUp, Spans } from "./support.js";

setUp();

const info = { name: "traced", version: "1.0.0" };

it.each([handshake, stateless])(
  "universal server and client have one trace, at $id (META-17)",
  async (revision) => {
    const spans = new Spans();
    const features = [tracing({ tracerProvider: spans.provider })];
    const server = new McpServer(info, { features, revisions: [revision] });
    server.registerTool("hello", {}, () => ({ content: [] }));
    const { url, close } = await listen(createHttpHandler(server));
    onTestFinished(() => close());
    const client = await connect(url, { features });
    onTestFinished(() => client.close());
    expect(client.revision).toBe(revision.id);
    await client.callTool("hello");
    const [sent, handled] = [SpanKind.CLIENT, SpanKind.SERVER].map((kind) =>
      spans.all.find((span) => span.name === "tools/call hello" && span.kind === kind),
    );
    expect(parentOf(handled!)).toBe(idOf(sent!));
    expect(handled!.attributes["mcp.protocol.version"]).toBe(revision.id);
  },
);
