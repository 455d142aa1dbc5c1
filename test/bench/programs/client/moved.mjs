import { Client } from "@mcp-codegen/sdk/client";
import { StdioClientTransport } from "@mcp-codegen/sdk/client/stdio";
import { args, isStateless, measure, server } from "./measure.mjs";

const mode = isStateless ? { pin: "2026-07-28" } : "legacy";
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport(server));
await measure(() => client.callTool({ name: "echo", arguments: args }));
