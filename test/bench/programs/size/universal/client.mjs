import { connect } from "@mcp-codegen/universal";

const [command, ...args] = process.argv.slice(2);
const client = await connect({ command, args });
const { content } = await client.callTool("roll");
console.log(content[0].text);
await client.close();
