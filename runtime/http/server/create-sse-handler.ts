import { assertIsPath } from "./assert-is-path.js";
import { assertOptions } from "./assert-options.js";
import type { ServerInstance } from "./server-instance.js";
import { type HttpHandler, webHandler } from "./handler.js";
import type { SseHandlerOptions } from "./options.js";
import { SseEndpoint } from "./sse-endpoint.js";

/**
 * Serves MCP over HTTP+SSE, for clients that are older than Streamable HTTP. To be put at two paths: one that the
 * client is given and opens by GET, and `messagePath`, which it is then told to send to.
 *
 * @throws TypeError for options that there are not, or not with such a value, for an entry of `allowedHosts` or
 *   `allowedOrigins` that no request could match, for a `messagePath` that is none, and for a server without a revision
 *   that has a handshake
 * @deprecated HTTP+SSE is deprecated since 2025-03-26: use Streamable HTTP.
 */
export function createSseHandler(
  server: ServerInstance,
  options: SseHandlerOptions = {},
): HttpHandler {
  assertOptions(options, "createSseHandler");
  if (options.messagePath !== undefined) assertIsPath(options.messagePath, "messagePath");
  return webHandler(new SseEndpoint(server, options));
}
