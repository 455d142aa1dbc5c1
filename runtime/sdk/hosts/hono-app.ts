import { Hono, type MiddlewareHandler } from "hono";
import { isJsonContentType } from "../shared/index.js";
import { guardsOf, type McpAppOptions } from "./app-guards.js";
import * as guards from "./hono-guards.js";

/** Options of `createMcpHonoApp`. */
export type CreateMcpHonoAppOptions = McpAppOptions;

/** Makes a Hono app that guards hosts and origins, and parses JSON: `context.get("parsedBody")`. */
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

/** The body stays readable, so that a copy is parsed. */
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
