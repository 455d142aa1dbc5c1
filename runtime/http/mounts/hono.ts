import { assertKnownNames } from "../../ground/index.js";
import type { IdentifyBy } from "../server/requests/authentication.js";
import type { HttpHandler } from "../server/handler.js";

/** The parts of Hono's context that the mount uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request; text(): Promise<string> };
}

export interface HonoRouteOptions<Context extends HonoContext> {
  /**
   * Identifies the sender if a middleware has authenticated it. Return `"anonymous"` to admit the request without a
   * sender; the response is 401 if the result is undefined.
   */
  readonly auth?: IdentifyBy<Context> | undefined;
}

/**
 * Mounts a handler in a Hono application: `app.all("/mcp", honoRoute(handler))`. Middleware may have read the body
 * through Hono.
 *
 * @example
 * ```ts
 * import { Hono } from "hono";
 *
 * const app = new Hono();
 * app.all("/mcp", honoRoute(createHttpHandler(server)));
 * export default app;
 * ```
 */
export function honoRoute<Context extends HonoContext = HonoContext>(
  handler: HttpHandler,
  options: HonoRouteOptions<Context> = {},
): (context: Context) => Promise<Response> {
  assertKnownNames(options, ["auth"], "honoRoute");
  if (typeof handler !== "function")
    throw new TypeError("A mount needs a handler: honoRoute(createHttpHandler(server))");
  const { auth } = options;
  return async (context) => {
    const { raw } = context.req;
    const { method } = raw;
    const request = raw.bodyUsed
      ? new Request(raw, { method, body: await context.req.text() })
      : raw;
    return handler(request, { auth: auth && (() => auth(context)) });
  };
}
