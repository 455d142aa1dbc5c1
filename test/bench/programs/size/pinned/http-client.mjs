import { Client } from "#revision";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";

const client = new Client({ name: "player", version: "1.0.0" });
await client.connect(new HttpClientTransport(new URL(process.argv[2])));
const { content } = await client.callTool({ name: "roll" });
console.log(content[0].text);
await client.close();
