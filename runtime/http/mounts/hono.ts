import type { IdentifyBy } from "../server/authentication.js";
import type { HttpHandler } from "../server/handler.js";

/** What is needed of Hono's context. */
export interface HonoContext {
  readonly req: { readonly raw: Request; text(): Promise<string> };
}

export interface HonoRouteOptions<Context extends HonoContext> {
  /**
   * Who sent a request, where a middleware has made sure of it. Undefined is answered 401, `"anonymous"` lets it pass.
   */
  readonly auth?: IdentifyBy<Context> | undefined;
}

/**
 * Puts a handler into a Hono application: `app.all("/mcp", honoRoute(handler))`. A middleware may have read the body
 * by way of Hono.
 */
export function honoRoute<Context extends HonoContext = HonoContext>(
  handler: HttpHandler,
  { auth }: HonoRouteOptions<Context> = {},
): (context: Context) => Promise<Response> {
  return async (context) => {
    const { raw } = context.req;
    const { method } = raw;
    const request = raw.bodyUsed
      ? new Request(raw, { method, body: await context.req.text() })
      : raw;
    return handler(request, { auth: auth && (() => auth(context)) });
  };
}
