// The answers of a server that only looks up and calls: it checks nothing and remembers no client.
import { randomUUID } from "node:crypto";
import { tools } from "../tools.mjs";

const handlers = new Map(tools.map(({ name, handler }) => [name, handler]));
const serverInfo = { name: "limit", version: "1.0.0" };

export const opensSession = (method) => method === "initialize";
export const newSessionId = () => randomUUID();

export function resultOf({ method, params }) {
  if (method === "tools/call") return handlers.get(params.name)(params.arguments);
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

/** Adds the result type, which each result of the stateless revision names. */
export const typed = (result) => ({ resultType: "complete", ...result });

export const progressOf = ({ _meta }) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: _meta.progressToken, progress: 1, total: 2 },
});
