import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
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
