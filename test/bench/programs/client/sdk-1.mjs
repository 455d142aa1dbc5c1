import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { args, measure, server } from "./measure.mjs";

const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport(server));
await measure(() => client.callTool({ name: "echo", arguments: args }));
