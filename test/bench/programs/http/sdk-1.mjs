import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { createServer } from "node:http";
import * as z from "zod";
import { echo, shape, tools } from "../tools.mjs";
import { tellPort } from "./port.mjs";
import { bySession } from "./sdk-sessions.mjs";

const enableJsonResponse = process.env.ANSWERS !== "streams";
const inputSchema = shape(z);

function newServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, handler } of tools) {
    server.registerTool(name, { description, inputSchema }, handler);
  }
  server.registerTool("tell", { inputSchema }, async (args, { _meta, sendNotification }) => {
    const params = { progressToken: _meta.progressToken, progress: 1, total: 2 };
    await sendNotification({ method: "notifications/progress", params });
    return echo(args);
  });
  return server;
}

async function newTransport(options) {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse, ...options });
  await newServer().connect(transport);
  return transport;
}

tellPort(createServer(bySession(newTransport, isInitializeRequest)));
