// Like the one of stdio, but it looks at each byte once, however long a line is.
import { tools } from "../tools.mjs";

const handlers = new Map(tools.map(({ name, handler }) => [name, handler]));
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bench", version: "1.0.0" },
  }),
  "tools/call": ({ name, arguments: args }) => handlers.get(name)(args),
};

function answerTo(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return "";
  return `${JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) })}\n`;
}

let parts = [];
process.stdin.on("data", (chunk) => {
  let answers = "";
  let from = 0;
  for (let end; (end = chunk.indexOf(10, from)) !== -1; from = end + 1) {
    parts.push(chunk.subarray(from, end));
    answers += answerTo((parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString());
    parts = [];
  }
  if (from < chunk.length) parts.push(chunk.subarray(from));
  if (answers !== "") process.stdout.write(answers);
});
