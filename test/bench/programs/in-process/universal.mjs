import { connect, connectInMemory, McpServer, revisions } from "@mcp-codegen/universal";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";
import { measure } from "./measure.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
for (const { name, description, handler } of tools)
  server.registerTool(name, { description, inputSchema: z.object(shape(z)) }, handler);

const client = await connect(await connectInMemory(server), {
  revisions: revisions.filter(({ id }) => id === process.env.REVISION),
});
await measure((text) => client.callTool("echo", { text }));
