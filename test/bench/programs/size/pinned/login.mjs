import { Client } from "#revision";
import { oauth, redirect } from "@mcp-codegen/auth/client";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { redirectUri, visit } from "../visit.mjs";

const auth = oauth({
  authorize: redirect({ redirectUri, visit }),
  clientMetadata: { client_name: "player" },
});
const client = new Client({ name: "player", version: "1.0.0" });
await client.connect(new HttpClientTransport(new URL(process.argv[2]), { auth }));
const { content } = await client.callTool({ name: "roll" });
console.log(content[0].text);
await client.close();
