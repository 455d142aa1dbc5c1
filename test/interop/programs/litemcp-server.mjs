// Server on LiteMCP.
import { LiteMCP } from "litemcp";
import { z } from "zod";

const server = new LiteMCP("lite", "1.0.0");
server.addTool({
  name: "add",
  description: "Adds two numbers",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => a + b,
});
server.addResource({
  uri: "file:///logs/app.log",
  name: "Log",
  mimeType: "text/plain",
  load: async () => ({ text: "a line" }),
});
server.addPrompt({
  name: "greet",
  description: "Greets",
  arguments: [{ name: "who", description: "Somebody", required: false }],
  load: async () => "Hello",
});
await server.start();
