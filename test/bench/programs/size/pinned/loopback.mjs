import { Client } from "#revision";
import { oauth } from "@mcp-codegen/auth/client";
import { fileStore, loopback } from "@mcp-codegen/auth/node";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";

const auth = oauth({
  authorize: loopback(),
  store: fileStore(),
  clientMetadata: { client_name: "player" },
});
const client = new Client({ name: "player", version: "1.0.0" });
await client.connect(new HttpClientTransport(new URL(process.argv[2]), { auth }));
const { content } = await client.callTool({ name: "roll" });
console.log(content[0].text);
await client.close();
