// The least that a client can do: one promise per call, one write for all requests of a turn, then parse and look up.
import { spawn } from "node:child_process";
import { args, isStateless, measure, server } from "./measure.mjs";

const clientInfo = { name: "bench", version: "1.0.0" };
const revision = isStateless ? "2026-07-28" : "2025-11-25";
const envelope = isStateless
  ? `,"_meta":${JSON.stringify({
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    })}`
  : "";

const { stdin, stdout } = spawn(server.command, server.args, {
  env: server.env,
  stdio: ["pipe", "pipe", "inherit"],
});
const waiting = new Map();
let lastId = 0;
let requests = "";

function flush() {
  stdin.write(requests);
  requests = "";
}

function request(method, params) {
  const id = ++lastId;
  if (requests === "") process.nextTick(flush);
  const given = JSON.stringify(params).slice(0, -1);
  requests += `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${given}${envelope}}}\n`;
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function settle({ id, result, error }) {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) resolve(result);
  else reject(new Error(error.message));
}

let rest = "";
stdout.setEncoding("utf8").on("data", (chunk) => {
  const text = rest + chunk;
  let from = 0;
  for (let end; (end = text.indexOf("\n", from)) !== -1; from = end + 1)
    settle(JSON.parse(text.slice(from, end)));
  rest = text.slice(from);
});

if (!isStateless) {
  await request("initialize", { protocolVersion: revision, capabilities: {}, clientInfo });
  stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}
await measure(() => request("tools/call", { name: "echo", arguments: args }));
