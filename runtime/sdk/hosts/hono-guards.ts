import { guardRefusal } from "../server/hosting/index.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "../server/index.js";

interface HonoContextLike {
  readonly req: { header(name: string): string | undefined };
}

/** Middleware of Hono. */
export type HonoMiddleware = (
  context: HonoContextLike,
  next: () => Promise<void>,
) => Promise<Response | void>;

/** Middleware that lets requests for certain hosts through, whatever their port. */
export function hostHeaderValidation(allowedHostnames: string[]): HonoMiddleware {
  return (context, next) =>
    admit(next, validateHostHeader(context.req.header("host"), allowedHostnames));
}

/** Middleware that lets requests for this machine through. */
export function localhostHostValidation(): HonoMiddleware {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Middleware that lets requests of certain pages through, and those that do not come from pages. */
export function originValidation(allowedOriginHostnames: string[]): HonoMiddleware {
  return (context, next) =>
    admit(next, validateOriginHeader(context.req.header("origin"), allowedOriginHostnames));
}

/** Middleware that lets requests of pages on this machine through. */
export function localhostOriginValidation(): HonoMiddleware {
  return originValidation(localhostAllowedOrigins());
}

async function admit(
  next: () => Promise<void>,
  result: { ok: boolean; message?: string },
): Promise<Response | void> {
  if (result.ok) return next();
  return Response.json(guardRefusal(result.message ?? ""), { status: 403 });
}
