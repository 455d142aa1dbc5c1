import type { Forkable } from "./forkable.js";
import { type HttpHandler, webHandler } from "./handler.js";
import type { SseHandlerOptions } from "./options.js";
import { SseEndpoint } from "./sse-endpoint.js";

/**
 * Serves MCP over HTTP+SSE, for clients that are older than Streamable HTTP. To be put at two paths: one that the
 * client is given and opens by GET, and `messagePath`, which it is then told to send to.
 *
 * @throws TypeError for an entry of `allowedHosts` or `allowedOrigins` that no request could match, and for a
 *   `messagePath` that is none
 */
export function createSseHandler(server: Forkable, options: SseHandlerOptions = {}): HttpHandler {
  const { messagePath = "/messages" } = options;
  if (!/^\/[\x21-\x7e]*$/.test(messagePath) || messagePath.includes("?")) {
    throw new TypeError(
      `messagePath: ${JSON.stringify(messagePath)} is not a path such as "/messages"`,
    );
  }
  return webHandler(new SseEndpoint(server, options));
}
