import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { visitWith } from "./visit-sdk.mjs";

const options = { versionNegotiation: { mode: "auto", probe: { timeoutMs: 10_000 } } };
await visitWith(
  () => new Client({ name: "interop", version: "1.0.0" }, options),
  { SSEClientTransport, StdioClientTransport, StreamableHTTPClientTransport },
  (client, params) => client.callTool(params, { timeout: 20_000 }),
);
