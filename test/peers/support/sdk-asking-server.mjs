import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

/*
 * A server on the official SDK that asks its clients, with and without a handshake: node sdk-asking-server.mjs
 * stdio|http. Over HTTP it prints its URL.
 */
const text = (value) => ({ content: [{ type: "text", text: value }] });

const questions = {
  who: inputRequired.elicit({
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  }),
  city: inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: "Capital?" } }],
    maxTokens: 10,
  }),
  place: inputRequired.listRoots(),
};

const shown = ({ who, city, place }) =>
  `${who.content.name} ${city.content.text} ${place.roots.map(({ uri }) => uri).join()}`;

/** Asks one question after another, and keeps the answers so far in the request state. */
function inSequence(mcpReq) {
  const state = mcpReq.requestState();
  const answers = { ...JSON.parse(state ?? "{}"), ...mcpReq.inputResponses };
  const next = Object.keys(questions).find((name) => !(name in answers));
  if (next === undefined) return text(shown(answers));
  const inputRequests = { [next]: questions[next] };
  return inputRequired({ inputRequests, requestState: JSON.stringify(answers) });
}

function serverOf(notifications) {
  const capabilities = {
    logging: {},
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  };
  const server = new McpServer({ name: "sdk-asking", version: "1.0.0" }, { capabilities });
  const inputSchema = z.object({});
  server.registerTool("sequence", { inputSchema }, (_, { mcpReq }) => inSequence(mcpReq));
  server.registerTool("parallel", { inputSchema }, (_, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    return inputResponses
      ? text(shown(inputResponses))
      : inputRequired({ inputRequests: questions });
  });
  server.registerTool("change", { inputSchema }, () => {
    notifications.tools(server);
    return text("changed");
  });
  server.registerTool("update", { inputSchema }, () => {
    notifications.updated(server, "note://1");
    return text("updated");
  });
  server.registerTool("log", { inputSchema }, async (_, { mcpReq }) => {
    await mcpReq.log("debug", "small");
    await mcpReq.log("error", "large");
    return text("logged");
  });
  server.registerResource("note", "note://1", {}, ({ href }) => ({
    contents: [{ uri: href, text: "remember" }],
  }));
  return server;
}

if (process.argv[2] === "stdio") {
  const notifications = {
    tools: (server) => server.sendToolListChanged(),
    updated: (server, uri) => server.server.sendResourceUpdated({ uri }),
  };
  serveStdio(() => serverOf(notifications));
} else {
  const notifications = {
    tools: () => handler.notify.toolsChanged(),
    updated: (_, uri) => handler.notify.resourceUpdated(uri),
  };
  const handler = createMcpHandler(() => serverOf(notifications));
  const server = createServer(toNodeHandler(handler));
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
