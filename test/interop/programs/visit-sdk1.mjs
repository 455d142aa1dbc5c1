import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { visitWith } from "./visit-sdk.mjs";

await visitWith(
  () => new Client({ name: "interop", version: "1.0.0" }),
  { SSEClientTransport, StdioClientTransport, StreamableHTTPClientTransport },
  (client, params) => client.callTool(params, undefined, { timeout: 20_000 }),
);
