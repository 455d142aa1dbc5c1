import { assertOptions } from "./assert-options.js";
import type { ServerInstance } from "./server-instance.js";
import { type HttpHandler, webHandler } from "./handler.js";
import type { HttpHandlerOptions } from "./options.js";
import { StreamableEndpoint } from "./streamable-endpoint.js";

/**
 * Creates a handler that serves MCP over Streamable HTTP: sessions and stateless requests at one URL, whatever the
 * path. The handler is a function of a `Request`; for `node:http`, see `toNodeListener` and `listen` of `@mcp-codegen/runtime/http/node`.
 *
 * @example
 * ```ts
 * import { listen } from "@mcp-codegen/runtime/http/node";
 *
 * const handler = createHttpHandler(server, { allowedHosts: ["mcp.example.com"] });
 * await listen(handler, { port: 3000 }); // or, where there is fetch: export default handler
 * ```
 *
 * @throws TypeError for unknown options and invalid values, for an entry of `allowedHosts` or `allowedOrigins` that no
 *   request could match, and for a value that is not a server
 */
export function createHttpHandler(
  server: ServerInstance,
  options: HttpHandlerOptions = {},
): HttpHandler {
  assertOptions(options, "createHttpHandler");
  return webHandler(new StreamableEndpoint(server, options));
}
