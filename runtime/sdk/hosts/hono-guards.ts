import { Hono, type MiddlewareHandler } from "hono";
import { isJsonContentType } from "../shared/index.js";
import { guardsOf, type McpAppOptions } from "./node-guards.js";
import { guardRefusal } from "../server/hosting/index.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "../server/index.js";

/** Options of `createMcpHonoApp`. */
export type CreateMcpHonoAppOptions = McpAppOptions;

/** Creates a Hono app that checks hosts and origins, and parses JSON: `context.get("parsedBody")`. */
export function createMcpHonoApp(options: CreateMcpHonoAppOptions = {}): Hono {
  const app = new Hono();
  for (const guard of guardsOf(options, {
    hostHeaderValidation,
    localhostHostValidation,
    originValidation,
    localhostOriginValidation,
  }))
    app.use("*", guard as MiddlewareHandler);
  app.use("*", (context, next) => parseBody(context as never, next));
  return app;
}

interface BodyContext {
  readonly req: { readonly raw: Request; header(name: string): string | undefined };
  get(name: "parsedBody"): unknown;
  set(name: "parsedBody", value: unknown): void;
  text(body: string, status: 400): Response;
}

/** Parses a copy of the body, so that the body itself can still be read. */
async function parseBody(
  context: BodyContext,
  next: () => Promise<void>,
): Promise<Response | void> {
  const isParsed = context.get("parsedBody") !== undefined;
  if (!isParsed && isJsonContentType(context.req.header("content-type"))) {
    try {
      context.set("parsedBody", await context.req.raw.clone().json());
    } catch {
      return context.text("Invalid JSON", 400);
    }
  }
  await next();
}

interface HonoContextLike {
  readonly req: { header(name: string): string | undefined };
}

/** Middleware of Hono. */
export type HonoMiddleware = (
  context: HonoContextLike,
  next: () => Promise<void>,
) => Promise<Response | void>;

/** Middleware that accepts requests for the listed host names only, with any port. */
export function hostHeaderValidation(allowedHostnames: string[]): HonoMiddleware {
  return (context, next) =>
    admit(next, validateHostHeader(context.req.header("host"), allowedHostnames));
}

/** Middleware that accepts requests for this machine only. */
export function localhostHostValidation(): HonoMiddleware {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Middleware that accepts requests from pages on the listed hosts, and requests that do not come from a page. */
export function originValidation(allowedOriginHostnames: string[]): HonoMiddleware {
  return (context, next) =>
    admit(next, validateOriginHeader(context.req.header("origin"), allowedOriginHostnames));
}

/** Middleware that accepts requests from pages on this machine. */
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
