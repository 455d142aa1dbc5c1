import type { AnyMiddleware } from "@mcp-codegen/runtime";
import { handlerOf } from "@mcp-codegen/universal";
import { Definition } from "./connection.js";

/**
 * Middleware of a server whose tables serve all servers that a factory creates with the same outline: the server that was
 * created for the request answers it.
 *
 * @param own - definition of the server with the middleware
 */
export function byServerOfRequest(own: () => Definition): AnyMiddleware {
  return ({ method, params, context }, next) => {
    const { locals } = context;
    if (!(locals instanceof Definition) || locals === own()) return next();
    const handler = handlerOf(locals, method);
    return handler === undefined ? next() : handler(params, context);
  };
}
