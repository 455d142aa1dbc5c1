import { oauth } from "@mcp-codegen/auth/client";
import { fileStore, loopback } from "@mcp-codegen/auth/node";
import { connect } from "@mcp-codegen/universal";

const auth = oauth({
  authorize: loopback(),
  store: fileStore(),
  clientMetadata: { client_name: "player" },
});
const client = await connect(process.argv[2], { auth });
const { content } = await client.callTool("roll");
console.log(content[0].text);
await client.close();
