export type {
  Authenticate,
  Authenticator,
  Identify,
  Identity,
  PublicDocument,
  Refusal,
  RequestHead,
} from "./requests/authentication.js";
export { createHealthHandler } from "./create-health-handler.js";
export { createHttpHandler } from "./create-http-handler.js";
export { createSseHandler } from "./sse/create-sse-handler.js";
export type { EventStore, StoredEvent } from "./streams/event-store.js";
export { type EventId, formatEventId, parseEventId } from "./streams/server-sent-events.js";
export type { StreamSink } from "./limits.js";
export type { Exchange } from "./requests/exchange.js";
export type { HeaderFields } from "./requests/problem.js";
export type { Fork, ServerInstance } from "./requests/server-instance.js";
export type {
  HandlerCounts,
  HandlerHealth,
  HandlerState,
  HealthChecks,
  RefusalCount,
} from "./handler-state.js";
export type { HttpEndpoint, HttpHandler } from "./handler.js";
export { createRouter } from "./router.js";
export type { HttpRequestContext } from "./requests/web-exchange.js";
export type {
  HealthHandlerOptions,
  HttpHandlerOptions,
  HttpOptions,
  SseHandlerOptions,
} from "./option-types.js";
export type { Auth } from "../../wire/index.js";
