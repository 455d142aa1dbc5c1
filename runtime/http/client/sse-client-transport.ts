import { HttpClientTransport } from "./http-client-transport.js";
import type { SseClientOptions } from "./options.js";

/**
 * A client's end of HTTP+SSE, for servers that have nothing newer.
 * @deprecated HTTP+SSE is deprecated since 2025-03-26: use Streamable HTTP.
 */
export class SseClientTransport extends HttpClientTransport {
  /**
   * @param url - of the stream
   * @throws TypeError when the URL is not http: or https:, or has a password in it
   */
  constructor(url: string | URL, options: SseClientOptions = {}) {
    super(url, { ...options, sse: "only" });
  }
}
