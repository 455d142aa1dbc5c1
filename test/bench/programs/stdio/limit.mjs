// The least that a server can do: parse, look up, serialise, and write once for all answers of a chunk, unless the
// answers are so long that joining them costs more than a write.
import { inputSchema, tools } from "../tools.mjs";

const isStateless = process.env.KIND === "stateless";
const serverInfo = { name: "bench", version: "1.0.0" };
const capabilities = { tools: {} };
const supportedVersions = ["2026-07-28"];
const freshness = { ttlMs: 0, cacheScope: "private" };

/** The members that each stateless result has in addition to its own. */
const common = isStateless
  ? `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${JSON.stringify(serverInfo)}}`
  : "";
const serialised = (result) => JSON.stringify(result).slice(0, -1) + common + "}";

const handlers = new Map(tools.map(({ name, handler }) => [name, handler]));
const list = tools.map(({ name, description }) => ({ name, description, inputSchema }));
const preparedList = serialised({ tools: list, ...(isStateless && freshness) });

const methods = new Map([
  ["tools/call", ({ name, arguments: args }) => serialised(handlers.get(name)(args))],
  ["tools/list", () => preparedList],
  [
    isStateless ? "server/discover" : "initialize",
    ({ protocolVersion }) =>
      isStateless
        ? serialised({ supportedVersions, capabilities, ...freshness })
        : serialised({ protocolVersion, capabilities, serverInfo }),
  ],
]);

function answer({ id, method, params }) {
  if (id === undefined) return "";
  const call = methods.get(method);
  const outcome = call
    ? `"result":${call(params)}`
    : '"error":{"code":-32601,"message":"Method not found"}';
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}\n`;
}

const LARGEST_WRITE = 64 * 1024;
/** The start of a line whose end has not arrived. No byte is searched twice. */
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  let answers = "";
  let from = 0;
  for (let end; (end = chunk.indexOf("\n", from)) !== -1; from = end + 1) {
    answers += answer(JSON.parse(rest + chunk.slice(from, end)));
    rest = "";
    if (answers.length < LARGEST_WRITE) continue;
    process.stdout.write(answers);
    answers = "";
  }
  rest += chunk.slice(from);
  if (answers !== "") process.stdout.write(answers);
});
