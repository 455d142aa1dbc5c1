export * from "../shared/index.js";
export { Client, type McpSubscription } from "./client.js";
export type {
  CacheableRequestOptions,
  CacheMode,
  CallToolRequestOptions,
  ClientOptions,
  ConnectOptions,
  InputRequiredOptions,
  PriorDiscovery,
  VersionNegotiationMode,
  VersionNegotiationOptions,
  VersionNegotiationProbeOptions,
} from "./client-options.js";
export {
  SSEClientTransport,
  type SSEClientTransportOptions,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type StreamableHTTPReconnectionOptions,
} from "./http.js";
