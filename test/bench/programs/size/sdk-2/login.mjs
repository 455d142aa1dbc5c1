import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Login } from "../sdk-login.mjs";

const authProvider = new Login();
const url = new URL(process.argv[2]);
const client = await authProvider.connect(() => [
  new Client({ name: "player", version: "1.0.0" }),
  new StreamableHTTPClientTransport(url, { authProvider }),
]);
const { content } = await client.callTool({ name: "roll" });
console.log(content[0].text);
await client.close();
