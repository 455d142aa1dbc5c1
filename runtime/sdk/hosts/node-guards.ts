import type { IncomingMessage, ServerResponse } from "node:http";
import { guardRefusal } from "../server/hosting/index.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "../server/index.js";

/** True when a request may go on; else it has been answered with 403. */
export type NodeGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Guard that lets requests for certain hosts through, whatever their port. */
export function hostHeaderValidation(allowedHostnames: string[]): NodeGuard {
  return ({ headers }, response) =>
    admit(response, validateHostHeader(headers.host, allowedHostnames));
}

/** Guard that lets requests for this machine through. */
export function localhostHostValidation(): NodeGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Guard that lets requests of certain pages through, and those that do not come from pages. */
export function originValidation(allowedOriginHostnames: string[]): NodeGuard {
  return ({ headers }, response) =>
    admit(response, validateOriginHeader(headers.origin, allowedOriginHostnames));
}

/** Guard that lets requests of pages on this machine through. */
export function localhostOriginValidation(): NodeGuard {
  return originValidation(localhostAllowedOrigins());
}

function admit(response: ServerResponse, result: { ok: boolean; message?: string }): boolean {
  if (result.ok) return true;
  response.writeHead(403, { "Content-Type": "application/json" });
  response.end(JSON.stringify(guardRefusal(result.message ?? "")));
  return false;
}
