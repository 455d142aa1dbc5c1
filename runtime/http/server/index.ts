export type {
  Authenticate,
  Authenticator,
  Identify,
  Identity,
  PublicDocument,
  Refusal,
} from "./authentication.js";
export { createHealthHandler, type HealthHandlerOptions } from "./create-health-handler.js";
export { createHttpHandler } from "./create-http-handler.js";
export { createSseHandler } from "./create-sse-handler.js";
export type { EventStore, StoredEvent } from "./event-store.js";
export type { Exchange, HeaderFields, RequestHead, StreamSink } from "./exchange.js";
export type { Fork, ServerInstance } from "./server-instance.js";
export type { HandlerCounts, RefusalCount } from "./handler-counts.js";
export type { HandlerHealth, HandlerState, HealthChecks } from "./handler-health.js";
export type { HttpEndpoint, HttpHandler, RequestContext } from "./handler.js";
export { MemoryEventStore, type MemoryEventStoreOptions } from "./memory-event-store.js";
export type { HttpOptions, HttpHandlerOptions, SseHandlerOptions } from "./options.js";
export { createRouter } from "./router.js";
export type { Auth } from "../../wire/index.js";
