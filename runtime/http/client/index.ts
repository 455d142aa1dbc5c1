/** The client side of Streamable HTTP and of HTTP+SSE: `@mcp-codegen/runtime/http/client`. */
export {
  AuthorizationError,
  HttpError,
  type HttpFailure,
  RedirectError,
  SessionExpiredError,
  StreamEndedError,
} from "./errors.js";
export { HttpClientTransport, SseClientTransport } from "./http-client-transport.js";
export type {
  ClientAuth,
  Fetch,
  HeaderList,
  HeaderSource,
  HttpClientOptions,
  HttpOptions,
  ReconnectOptions,
  RefusedRequest,
  SseClientOptions,
} from "./options.js";
