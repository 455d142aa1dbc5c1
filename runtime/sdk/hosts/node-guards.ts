import type { IncomingMessage, ServerResponse } from "node:http";
import { guardRefusal } from "../server/hosting/index.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "../server/index.js";

/** Options of an app that serves an MCP server. */
export interface McpAppOptions {
  /** Address that the app will listen on. Default: 127.0.0.1, which accepts only requests for this machine. */
  host?: string | undefined;
  /** Host names of the server, without ports. */
  allowedHosts?: string[] | undefined;
  /** Host names of pages that may use the server, without ports. */
  allowedOrigins?: string[] | undefined;
}

/** Guard factories of a framework. */
export interface GuardKit<Guard> {
  hostHeaderValidation(allowed: string[]): Guard;
  localhostHostValidation(): Guard;
  originValidation(allowed: string[]): Guard;
  localhostOriginValidation(): Guard;
}

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/** Guards of an app: for the configured lists or, if the app listens only on this machine, for this machine. */
export function guardsOf<Guard>(
  { host = "127.0.0.1", allowedHosts, allowedOrigins }: McpAppOptions,
  kit: GuardKit<Guard>,
): Guard[] {
  const isLocal = LOOPBACK.includes(host);
  const hosts = allowedHosts
    ? [kit.hostHeaderValidation(allowedHosts)]
    : isLocal
      ? [kit.localhostHostValidation()]
      : [];
  const origins = allowedOrigins
    ? [kit.originValidation(allowedOrigins)]
    : isLocal
      ? [kit.localhostOriginValidation()]
      : [];
  if (hosts.length === 0) {
    console.warn(
      `The app listens on ${host} and accepts requests for any host: name yours in allowedHosts, or authenticate callers`,
    );
  }
  return [...hosts, ...origins];
}

/** True if a request may proceed; otherwise it has been answered with 403. */
export type NodeGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Guard that accepts requests for the listed host names only, with any port. */
export function hostHeaderValidation(allowedHostnames: string[]): NodeGuard {
  return ({ headers }, response) =>
    admit(response, validateHostHeader(headers.host, allowedHostnames));
}

/** Guard that accepts requests for this machine only. */
export function localhostHostValidation(): NodeGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Guard that accepts requests from pages on the listed hosts, and requests that do not come from a page. */
export function originValidation(allowedOriginHostnames: string[]): NodeGuard {
  return ({ headers }, response) =>
    admit(response, validateOriginHeader(headers.origin, allowedOriginHostnames));
}

/** Guard that accepts requests from pages on this machine. */
export function localhostOriginValidation(): NodeGuard {
  return originValidation(localhostAllowedOrigins());
}

function admit(response: ServerResponse, result: { ok: boolean; message?: string }): boolean {
  if (result.ok) return true;
  response.writeHead(403, { "Content-Type": "application/json" });
  response.end(JSON.stringify(guardRefusal(result.message ?? "")));
  return false;
}
