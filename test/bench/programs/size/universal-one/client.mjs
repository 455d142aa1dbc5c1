import { connect } from "@mcp-codegen/universal/client";
import { revision } from "@mcp-codegen/universal/revision";

const [command, ...args] = process.argv.slice(2);
const client = await connect({ command, args }, { revisions: [revision] });
const { content } = await client.callTool("roll");
console.log(content[0].text);
await client.close();
