import { assertKnownNames } from "../../ground/index.js";
import type { HttpEndpoint } from "../server/handler.js";
import type { NodeRequest } from "../node/node-exchange.js";
import {
  type NodeListener,
  type NodeListenerOptions,
  toNodeListener,
} from "../node/node-exchange.js";

/**
 * Mounts a handler in an Express application (or Connect, or Polka): `app.all("/mcp", expressRoute(handler))`. Works
 * before and after `express.json()`; before it, the body of a refused request is not read.
 *
 * @example
 * ```ts
 * import express from "express";
 *
 * const app = express();
 * app.all("/mcp", expressRoute(createHttpHandler(server)));
 * app.listen(3000, "127.0.0.1");
 * ```
 */
export function expressRoute<Request extends NodeRequest = NodeRequest>(
  endpoint: HttpEndpoint,
  options: NodeListenerOptions<Request> = {},
): NodeListener {
  assertKnownNames(options, ["auth", "locals"], "expressRoute");
  if (typeof endpoint?.handle !== "function")
    throw new TypeError("A mount needs a handler: expressRoute(createHttpHandler(server))");
  return toNodeListener(endpoint, options as NodeListenerOptions);
}
