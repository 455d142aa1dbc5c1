import { oauth, redirect } from "@mcp-codegen/auth/client";
import { connect } from "@mcp-codegen/universal";
import { redirectUri, visit } from "../visit.mjs";

const auth = oauth({
  authorize: redirect({ redirectUri, visit }),
  clientMetadata: { client_name: "player" },
});
const client = await connect(process.argv[2], { auth });
const { content } = await client.callTool("roll");
console.log(content[0].text);
await client.close();
