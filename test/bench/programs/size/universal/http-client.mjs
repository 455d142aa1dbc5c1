import { connect } from "@mcp-codegen/universal";

const client = await connect(process.argv[2]);
const { content } = await client.callTool("roll");
console.log(content[0].text);
await client.close();
