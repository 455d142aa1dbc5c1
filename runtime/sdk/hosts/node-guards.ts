import type { IncomingMessage, ServerResponse } from "node:http";
import { guardRefusal } from "../server/hosting/index.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "../server/index.js";

export interface McpAppOptions {
  /**
   * The address on which the app will listen. Default: 127.0.0.1, so that only requests for this machine are accepted.
   */
  host?: string | undefined;
  /** The server's host names, without ports. */
  allowedHosts?: string[] | undefined;
  /** The host names of pages that may use the server, without ports. */
  allowedOrigins?: string[] | undefined;
}

export interface GuardKit<Guard> {
  readonly hostHeaderValidation: (allowedHostnames: string[]) => Guard;
  readonly localhostHostValidation: () => Guard;
  readonly originValidation: (allowedOriginHostnames: string[]) => Guard;
  readonly localhostOriginValidation: () => Guard;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

export type Check = (field: (name: "host" | "origin") => string | undefined) => object | undefined;

export function guardKit<Guard>(guard: (check: Check) => Guard): GuardKit<Guard> {
  const hosts = (allowed: string[]): Guard =>
    guard((field) => refusal(validateHostHeader(field("host"), allowed)));
  const origins = (allowed: string[]): Guard =>
    guard((field) => refusal(validateOriginHeader(field("origin"), allowed)));
  return {
    hostHeaderValidation: hosts,
    localhostHostValidation: () => hosts(localhostAllowedHostnames()),
    originValidation: origins,
    localhostOriginValidation: () => origins(localhostAllowedOrigins()),
  };
}

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/**
 * Returns an app's guards. If a list is missing, an app that listens only on this machine accepts only this machine,
 * and any other app accepts everything. Logs a warning if hosts are not restricted.
 */
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

function refusal(result: { ok: boolean; message?: string }): object | undefined {
  return result.ok ? undefined : guardRefusal(result.message ?? "");
}

/** A guard that returns true if a request may proceed, and otherwise responds with 403. */
export type NodeGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

const guards: GuardKit<NodeGuard> = /* @__PURE__ */ guardKit((check) => ({ headers }, response) => {
  const refused = check((name) => headers[name]);
  if (refused === undefined) return true;
  sendJson(response, 403, refused);
  return false;
});

/** Returns a guard that accepts only requests for the listed host names, with any port. */
export const hostHeaderValidation: GuardKit<NodeGuard>["hostHeaderValidation"] =
  guards.hostHeaderValidation;
/** Returns a guard that accepts only requests whose `Host` is a localhost name or address, with any port. */
export const localhostHostValidation: GuardKit<NodeGuard>["localhostHostValidation"] =
  guards.localhostHostValidation;
/**
 * Returns a guard that accepts requests from pages on the listed hosts, and requests that do not come from a
 * page.
 */
export const originValidation: GuardKit<NodeGuard>["originValidation"] = guards.originValidation;
/** Returns a guard that accepts requests from pages on this machine, and requests that do not come from a page. */
export const localhostOriginValidation: GuardKit<NodeGuard>["localhostOriginValidation"] =
  guards.localhostOriginValidation;
