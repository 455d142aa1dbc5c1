import { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";
import { args, isStateless, measure, server } from "./measure.mjs";

const revision = isStateless ? "2026-07-28" : "2025-11-25";
const { Client } = await import(`@mcp-codegen/${revision}`);

const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport(server));
await measure(() => client.callTool({ name: "echo", arguments: args }));
