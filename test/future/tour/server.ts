import { McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { offer } from "./candidate.js";

/** Creates a server that offers some of everything. One of its tools returns the errors that reached no caller. */
export function tourServer(): McpServer {
  const problems: string[] = [];
  const server = new McpServer(
    { name: "tour", version: "1.0.0" },
    {
      pageSize: 2,
      onerror: ({ name, message }) => void problems.push(`${name}: ${message}`),
    },
  );
  const name = { type: "string" } as const;
  const inputSchema = { type: "object", properties: { name }, required: ["name"] } as const;
  server.registerTool("greet", { inputSchema }, (args) => `Hello, ${String(args["name"])}!`);
  server.registerTool("problems", {}, () => JSON.stringify(problems));
  server.registerTool("count", {}, (ctx) => {
    ctx.progress(1, 2);
    return "counted";
  });
  server.registerTool("ask", {}, async (ctx) => {
    if (!ctx.can.elicit) return "not possible";
    const properties = { city: { type: "string" } } as const;
    const { action } = await ctx.elicit({
      message: "Where?",
      requestedSchema: { type: "object", properties },
    });
    return action;
  });
  const prompt = server.registerPrompt("plan", { description: "0" }, () => "A plan");
  const note = server.registerResource("note", "note:///a", { description: "0" }, () => "A note");
  const notes = new ResourceTemplate("note:///{id}");
  server.registerResource("notes", notes, {}, (_uri, { id }) => `Note ${String(id)}`);
  const changing = server.registerTool("changing", { description: "0" }, () => "");
  let version = 0;
  server.registerTool("change", {}, () => {
    const description = String(++version);
    changing.update({ description });
    prompt.update({ description });
    note.update({ description });
    server.resourceUpdated("note:///a");
    return description;
  });
  offer(server);
  return server;
}
