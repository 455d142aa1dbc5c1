import { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";
import { Client } from "#revision";
import { args, measure, server } from "./measure.mjs";

const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport(server));
await measure(() => client.callTool({ name: "echo", arguments: args }));
