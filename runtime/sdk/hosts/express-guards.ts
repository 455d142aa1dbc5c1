import type { IncomingMessage, ServerResponse } from "node:http";
import {
  hostHeaderValidation as hostGuard,
  localhostHostValidation as localHostGuard,
  localhostOriginValidation as localOriginGuard,
  type NodeGuard,
  originValidation as originGuard,
} from "./node-guards.js";

/** Middleware of Express, Connect and Polka. */
export type ExpressMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Middleware that lets requests for certain hosts through, whatever their port. */
export function hostHeaderValidation(allowedHostnames: string[]): ExpressMiddleware {
  return middleware(hostGuard(allowedHostnames));
}

/** Middleware that lets requests for this machine through. */
export function localhostHostValidation(): ExpressMiddleware {
  return middleware(localHostGuard());
}

/** Middleware that lets requests of certain pages through, and those that do not come from pages. */
export function originValidation(allowedOriginHostnames: string[]): ExpressMiddleware {
  return middleware(originGuard(allowedOriginHostnames));
}

/** Middleware that lets requests of pages on this machine through. */
export function localhostOriginValidation(): ExpressMiddleware {
  return middleware(localOriginGuard());
}

function middleware(guard: NodeGuard): ExpressMiddleware {
  return (request, response, next) => {
    if (guard(request, response)) next();
  };
}
