import { assertOptions } from "./assert-options.js";
import type { Forkable } from "./forkable.js";
import { type HttpHandler, webHandler } from "./handler.js";
import type { HttpHandlerOptions } from "./options.js";
import { StreamableEndpoint } from "./streamable-endpoint.js";

/**
 * Serves MCP over Streamable HTTP, at whatever path it is put: sessions where a revision of the server has a handshake,
 * and requests that stand alone where one has none, both at one URL. The handler is a function of a `Request`; for
 * `node:http`, see `toNodeListener` and `listen` of `@mcp-codegen/runtime/http/node`.
 *
 * @throws TypeError for options that there are not, or not with such a value, for an entry of `allowedHosts` or
 *   `allowedOrigins` that no request could match, and for what is no server
 */
export function createHttpHandler(server: Forkable, options: HttpHandlerOptions = {}): HttpHandler {
  assertOptions(options, "createHttpHandler");
  return webHandler(new StreamableEndpoint(server, options));
}
