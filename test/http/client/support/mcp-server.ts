import type { ServerResponse } from "node:http";
import { closeAfter } from "./clients.js";
import { type Handle, RawServer, type Seen } from "./raw-server.js";

export interface McpScript {
  /** The session ids, in order. Without any, the server opens no sessions. */
  readonly sessions?: readonly string[];
  readonly revision?: string;
  /** Handlers by JSON-RPC method, or by HTTP method for GET and DELETE. */
  readonly on?: Readonly<Record<string, Handle>>;
}

/** Starts a server that opens sessions, accepts notifications and answers pings. The script defines everything else. */
export async function mcpServer(script: McpScript = {}): Promise<RawServer> {
  const { sessions = [], on = {} } = script;
  let opened = 0;
  return RawServer.start((seen, response) => {
    const key = seen.method === "POST" ? (seen.body.method ?? "answer") : seen.method;
    const handle = on[key];
    if (handle) return handle(seen, response);
    if (key === "initialize") {
      const session = sessions[Math.min(opened++, sessions.length - 1)];
      if (session !== undefined) response.setHeader("Mcp-Session-Id", session);
      return answer(
        response,
        seen,
        initialized(script.revision ?? seen.body.params.protocolVersion),
      );
    }
    if (seen.method === "GET") return end(response, 405);
    if (seen.method === "DELETE") return end(response, 200);
    if (seen.body.id === undefined || key === "answer") return end(response, 202);
    return answer(response, seen, {});
  });
}

export function initialized(protocolVersion: string): object {
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "scripted", version: "1.0.0" },
  };
}

export function answer(response: ServerResponse, { body }: Seen, result: object): void {
  json(response, 200, { jsonrpc: "2.0", id: body.id, result });
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

export function end(response: ServerResponse, status: number): void {
  response.writeHead(status);
  response.end();
}

/** Starts an event stream. */
export function stream(response: ServerResponse, text = ""): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (text !== "") response.write(text);
}

export function event(value: unknown, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
}

export const resultFor = ({ body }: Seen, result: object = {}): object => ({
  jsonrpc: "2.0",
  id: body.id,
  result,
});

export const toolResult = (text: string): object => ({ content: [{ type: "text", text }] });

/** Starts a server as `mcpServer` does, and closes it after the test. */
export async function serve(script?: McpScript): Promise<RawServer> {
  return closeAfter(await mcpServer(script));
}
