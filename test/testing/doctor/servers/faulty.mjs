// A server over stdio that writes JSON-RPC by hand, with the fault that its argument names.
import { createInterface } from "node:readline";
import { faults } from "./faults.mjs";

const fault = faults[process.argv[2] ?? "none"];
if (fault === undefined) throw new Error(`There is no fault ${process.argv[2]}`);

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const write = (message) => {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  process.stdout.write(`${text}\n`);
};

const state = { token: undefined, id: undefined, tools: undefined, calls: 0 };

const tool = () => ({
  name: "echo",
  description: "Returns its text",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
});

const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: REVISIONS.includes(protocolVersion) ? protocolVersion : "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "faulty", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": ({ cursor }) => {
    if (cursor !== undefined) throw { code: -32602, message: "Invalid cursor" };
    return { tools: [tool()] };
  },
  "tools/call": ({ name, arguments: { text = "" } = {} }) => {
    if (name !== "echo") throw { code: -32602, message: "Unknown tool" };
    return { content: [{ type: "text", text }] };
  },
};

fault.start?.({ write, state });

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const { id, method, params = {} } = request;
  if (method === undefined) return;
  if (id === undefined) return void fault.notified?.(request, { write, state });
  state.id = id;
  state.token = params["_meta"]?.progressToken;
  let response;
  try {
    const handle = new Map(Object.entries({ ...handlers, ...fault.handlers })).get(method);
    if (handle === undefined) throw { code: -32601, message: "Method not found" };
    response = { jsonrpc: "2.0", id, result: handle(params, { handlers, state, write }) };
  } catch (error) {
    if (error instanceof Error) throw error;
    response = { jsonrpc: "2.0", id, error };
  }
  const answer = fault.respond ? fault.respond(response, request, { write, state }) : response;
  if (answer !== undefined) write(answer);
  fault.after?.(request, { write, state });
});
