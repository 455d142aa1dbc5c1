import { Client } from "@mcp-codegen/sdk/client";
import { StdioClientTransport } from "@mcp-codegen/sdk/client/stdio";

const client = new Client({ name: "player", version: "1.0.0" });
const [command, ...args] = process.argv.slice(2);
await client.connect(new StdioClientTransport({ command, args }));
const { content } = await client.callTool({ name: "roll" });
console.log(content[0].text);
await client.close();
