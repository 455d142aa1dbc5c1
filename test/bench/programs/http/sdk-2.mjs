import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler, isInitializeRequest, McpServer } from "@modelcontextprotocol/server";
import { createServer } from "node:http";
import * as z from "zod";
import { echo, shape, tools } from "../tools.mjs";
import { tellPort } from "./port.mjs";
import { bySession } from "./sdk-sessions.mjs";

const { ANSWERS, REVISION, SERVERS } = process.env;
const enableJsonResponse = ANSWERS !== "streams";
const inputSchema = z.object(shape(z));

function newServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, handler } of tools) {
    server.registerTool(name, { description, inputSchema }, handler);
  }
  server.registerTool("tell", { inputSchema }, async (args, { mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const params = { progressToken: meta.progressToken, progress: 1, total: 2 };
    await mcpReq.notify({ method: "notifications/progress", params });
    return echo(args);
  });
  return server;
}

async function newTransport(options) {
  const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse, ...options });
  await newServer().connect(transport);
  return transport;
}

const isHostValid = localhostHostValidation();
const isOriginValid = localhostOriginValidation();
const handle =
  REVISION === "2026-07-28" || SERVERS === "each"
    ? toNodeHandler(createMcpHandler(newServer))
    : bySession(newTransport, isInitializeRequest);

tellPort(
  createServer((request, response) => {
    if (isHostValid(request, response) && isOriginValid(request, response)) {
      void handle(request, response);
    }
  }),
);
