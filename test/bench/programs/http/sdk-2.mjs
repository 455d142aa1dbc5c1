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

const { ANSWERS, REVISION, SESSIONS } = process.env;
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

const withSession = bySession(newTransport, isInitializeRequest);

async function withoutSession(request, response) {
  const transport = await newTransport({ sessionIdGenerator: undefined });
  response.on("close", () => transport.close());
  await transport.handleRequest(request, response);
}

function handlerOfCase() {
  if (REVISION === "2026-07-28") return toNodeHandler(createMcpHandler(newServer));
  return SESSIONS === "none" ? withoutSession : withSession;
}

const isHostValid = localhostHostValidation();
const isOriginValid = localhostOriginValidation();
const handle = handlerOfCase();

tellPort(
  createServer((request, response) => {
    if (isHostValid(request, response) && isOriginValid(request, response)) {
      void handle(request, response);
    }
  }),
);
