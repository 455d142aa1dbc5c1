import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { args, isStateless, measure, server } from "./measure.mjs";

const mode = isStateless ? { pin: "2026-07-28" } : "legacy";
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport(server));
await measure(() => client.callTool({ name: "echo", arguments: args }));
