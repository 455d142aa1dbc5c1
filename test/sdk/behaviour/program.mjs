/*
 * Server written for the official SDK, version 1 or 2. The first argument is the package, the second one the version, the third
 * one the transport; over HTTP it prints its port.
 */
import { createServer } from "node:http";
import { z as zod3 } from "zod/v3";
import * as zod4 from "zod";

const [, , sdk, version, transport] = process.argv;
const isFirst = version === "1";
const load = (first, second) =>
  import(
    isFirst
      ? `${sdk}/${first}`
      : `${sdk === "@modelcontextprotocol/sdk" ? "@modelcontextprotocol" : sdk}/${second}`
  );

const { McpServer, McpError, ProtocolError } = {
  ...(await load("server/mcp.js", "server")),
  ...(isFirst ? await load("types.js") : {}),
};
const Refusal = isFirst ? McpError : ProtocolError;
const z = isFirst ? zod3 : zod4;
const shape = (members) => (isFirst ? members : z.object(members));
const text = (value) => ({ content: [{ type: "text", text: value }] });

function makeServer() {
  const server = new McpServer(
    { name: "rows", version: "1.0.0" },
    { capabilities: { logging: {} } },
  );
  server.registerTool("throws", {}, () => {
    throw new Error("no such note");
  });
  server.registerTool("refuses", {}, () => {
    throw new Refusal(-32602, "no such note");
  });
  server.registerTool("misfits", { outputSchema: shape({ sum: z.number() }) }, () => ({
    content: [],
    structuredContent: { sum: "three" },
  }));
  server.registerTool(
    "adds",
    {
      inputSchema: shape({ a: z.number(), b: z.number().default(1) }),
      outputSchema: shape({ sum: z.number() }),
    },
    ({ a, b }) => ({ ...text("the sum"), structuredContent: { sum: a + b } }),
  );
  server.registerTool("logs", {}, async (extra) => {
    const message = {
      method: "notifications/message",
      params: { level: "info", data: "nobody asked for it" },
    };
    if (isFirst) await extra.sendNotification(message);
    else await extra.mcpReq.notify(message);
    return text("logged");
  });
  server.registerTool(
    "tells",
    { inputSchema: shape({ steps: z.number() }) },
    async ({ steps }, extra) => {
      const { _meta: meta } = isFirst ? extra : extra.mcpReq;
      const token = meta?.progressToken;
      for (let progress = 1; progress <= steps; progress += 1) {
        const message = {
          method: "notifications/progress",
          params: { progressToken: token, progress, total: steps },
        };
        if (token !== undefined)
          await (isFirst ? extra.sendNotification(message) : extra.mcpReq.notify(message));
      }
      return text("told");
    },
  );
  server.registerResource("note", "note://1", {}, () => {
    throw new Error("no such note");
  });
  server.registerPrompt("greet", { argsSchema: shape({ name: z.string() }) }, ({ name }) => {
    if (name === "nobody") throw new Error("nobody is there");
    return { messages: [{ role: "user", content: { type: "text", text: `Hello ${name}` } }] };
  });
  if (!isFirst)
    server.registerTool("lists", { outputSchema: z.array(z.number()) }, () => ({
      content: [],
      structuredContent: [1, 2],
    }));
  return server;
}

if (transport === "stdio") {
  if (isFirst) {
    const { StdioServerTransport } = await load("server/stdio.js");
    await makeServer().connect(new StdioServerTransport());
  } else {
    const { serveStdio } = await load("", "server/stdio");
    serveStdio(makeServer);
  }
} else {
  listen(transport === "sessions" ? await sessions() : await stateless());
}

async function sessions() {
  const { NodeStreamableHTTPServerTransport: Transport } = isFirst
    ? {
        NodeStreamableHTTPServerTransport: (await load("server/streamableHttp.js"))
          .StreamableHTTPServerTransport,
      }
    : await load("", "node");
  const open = new Map();
  return async (request, response) => {
    const id = request.headers["mcp-session-id"];
    let own = open.get(id);
    if (!own) {
      own = new Transport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (given) => void open.set(given, own),
      });
      await makeServer().connect(own);
    }
    await own.handleRequest(request, response);
  };
}

async function stateless() {
  if (!isFirst) {
    const { createMcpHandler } = await load("", "server");
    const { toNodeHandler } = await load("", "node");
    return toNodeHandler(createMcpHandler(makeServer));
  }
  const { StreamableHTTPServerTransport } = await load("server/streamableHttp.js");
  return async (request, response) => {
    const own = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await makeServer().connect(own);
    await own.handleRequest(request, response);
  };
}

function listen(handler) {
  const server = createServer((request, response) => void handler(request, response));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}
