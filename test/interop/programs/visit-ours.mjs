import { connect } from "@mcp-codegen/universal";
import { visit } from "./visit.mjs";

async function all(pages) {
  const items = [];
  for await (const item of pages) items.push(item);
  return items;
}

await visit(async ({ over, url, ...command }, onerror) => {
  const client = await connect(url ?? command, {
    clientInfo: { name: "interop", version: "1.0.0" },
    timeout: 20_000,
    onerror,
    ...(url === undefined
      ? { stdio: { stderr: "keep" } }
      : { http: { sse: over === "sse" ? "only" : "never" } }),
  });
  return {
    revision: client.revision,
    capabilities: client.server.capabilities,
    tools: () => all(client.tools()),
    resources: () => all(client.resources()),
    templates: () => all(client.resourceTemplates()),
    prompts: () => all(client.prompts()),
    call: (name, args) => client.callTool(name, args),
    read: (uri) => client.readResource(uri),
    prompt: (name) => client.getPrompt(name, {}),
    hasPing: true,
    ping: () => client.ping(),
    close: () => client.close(),
  };
});
