// The least that a client and a server can do: JSON text both ways, an id, a look-up, a promise for each call.
import { tools } from "../tools.mjs";
import { measure } from "./measure.mjs";

const handlers = new Map(tools.map(({ name, handler }) => [name, handler]));
const waiting = new Map();
let lastId = 0;

const stateless = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const isStateless = process.env.REVISION === "2026-07-28";
const common = isStateless ? { resultType: "complete" } : {};
const envelope = isStateless ? { _meta: stateless } : {};

function serve(text) {
  const { id, params } = JSON.parse(text);
  const result = { ...common, ...handlers.get(params.name)(params.arguments) };
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result });
  queueMicrotask(() => receive(answer));
}

function receive(text) {
  const { id, result } = JSON.parse(text);
  const resolve = waiting.get(id);
  waiting.delete(id);
  resolve(result);
}

function call(text) {
  const id = ++lastId;
  const params = { name: "echo", arguments: { text }, ...envelope };
  const request = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  queueMicrotask(() => serve(request));
  return new Promise((resolve) => waiting.set(id, resolve));
}

await measure(call);
