// Our client: node ours.mjs URL, or node ours.mjs COMMAND ARGS…
import { connect } from "@mcp-codegen/universal/client";

const [first, ...args] = process.argv.slice(2);
const target = first.startsWith("http") ? first : { command: first, args };
const client = await connect(target, {
  roots: [{ uri: "file:///home/ada" }],
  onElicit: () => ({ action: "accept", content: { text: "yes" } }),
  onSample: () => ({ role: "assistant", model: "m", content: { type: "text", text: "Yes" } }),
  onerror: () => {},
  timeout: 3_000,
});
client.on("toolsChanged", () => void client.listTools().catch(() => {}));
for await (const { name, inputSchema } of client.tools()) {
  const { required = [], properties } = inputSchema;
  await client.callTool(
    name,
    Object.fromEntries(required.map((key) => [key, properties[key].default])),
  );
}
await client.closed;
