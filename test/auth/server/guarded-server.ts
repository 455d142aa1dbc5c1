import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { onTestFinished, vi } from "vitest";
import { resourceServer, type ResourceServerOptions } from "@mcp-codegen/auth/server";
import { AuthorizationServer, RESOURCE } from "./authorization-server.js";
import { ORIGIN, RawClient } from "./raw-client.js";

export const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;

export interface GuardedServerOptions extends Partial<ResourceServerOptions> {
  readonly server?: AuthorizationServer;
}

/** Starts an MCP server that is guarded by a resource server, together with an authorization server for its tokens. */
export async function startGuarded({ server: given, ...options }: GuardedServerOptions = {}) {
  const server = given ?? (await AuthorizationServer.start());
  const errors: Error[] = [];
  const guard = resourceServer({
    resource: RESOURCE,
    authorizationServers: [server.issuer],
    onerror: (error) => void errors.push(error),
    ...options,
  });
  const mcp = new McpServer({ name: "guarded", version: "1" });
  mcp.registerTool("who", {}, (ctx) => JSON.stringify(ctx.auth));
  mcp.registerTool("write", {}, (ctx) => {
    ctx.requireScopes("notes:write");
    return "written";
  });
  const handler = createHttpHandler(mcp, { authenticate: guard });
  onTestFinished(() => handler.close(0));
  const client = (revision = "2026-07-28", headers: Record<string, string> = {}) =>
    new RawClient(handler, { revision, headers });
  /** Sends a call with this `Authorization` value and returns the status and challenge of the response. */
  const callWith = async (authorization?: string, headers: Record<string, string> = {}) => {
    const response = await client("2026-07-28", headers).call("who", authorization);
    const text = await response.text();
    return { status: response.status, challenge: response.headers.get("www-authenticate"), text };
  };
  return { server, handler, client, callWith, errors, guard };
}

/** Moves the clock forward; timers keep running. */
export function passTime(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  onTestFinished(() => void vi.useRealTimers());
}
