import { Hono, type MiddlewareHandler } from "hono";
import { isJsonContentType } from "../shared/index.js";
import { type GuardKit, guardKit, guardsOf, type McpAppOptions } from "./node-guards.js";

/** Options of `createMcpHonoApp`. */
export type CreateMcpHonoAppOptions = McpAppOptions;

/**
 * Creates a Hono app that checks hosts and origins, and parses JSON, which is available as `context.get("parsedBody")`.
 */
export function createMcpHonoApp(options: CreateMcpHonoAppOptions = {}): Hono {
  const app = new Hono();
  for (const guard of guardsOf(options, guards)) app.use("*", guard as MiddlewareHandler);
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

const guards: GuardKit<HonoMiddleware> = /* @__PURE__ */ guardKit(
  (check) => async (context, next) => {
    const refusal = check((name) => context.req.header(name));
    return refusal ? Response.json(refusal, { status: 403 }) : next();
  },
);

/** Returns middleware that accepts only requests for the listed host names, with any port. */
export const hostHeaderValidation: GuardKit<HonoMiddleware>["hostHeaderValidation"] =
  guards.hostHeaderValidation;
/** Returns middleware that accepts only requests whose `Host` is a localhost name or address, with any port. */
export const localhostHostValidation: GuardKit<HonoMiddleware>["localhostHostValidation"] =
  guards.localhostHostValidation;
/**
 * Returns middleware that accepts requests from pages on the listed hosts, and requests that do not come from a
 * page.
 */
export const originValidation: GuardKit<HonoMiddleware>["originValidation"] =
  guards.originValidation;
/** Returns middleware that accepts requests from pages on this machine, and requests that do not come from a page. */
export const localhostOriginValidation: GuardKit<HonoMiddleware>["localhostOriginValidation"] =
  guards.localhostOriginValidation;
