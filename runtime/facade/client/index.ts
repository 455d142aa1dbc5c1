/** Clients of servers of any revision: `@mcp-codegen/runtime/facade/client`. */
export {
  type ClientExtension,
  type ClientExtensionOptions,
  onExtension,
} from "./client-extension.js";
export type {
  ClientEvent,
  ClientEvents,
  ClientListener,
  CommonEvents,
  LogMessage,
} from "./client-events.js";
export type { ClientPlugin, OpenClient, PluggedIn, ServerDescription } from "./client-plugin.js";
export type { Answers, ConnectOptions, ElicitHandler, Relisten, Target } from "./client-options.js";
export { type Connect, connectWith } from "./connect.js";
export {
  type Era,
  type EraCache,
  MemoryEraCache,
  type MemoryEraCacheOptions,
} from "./era-cache.js";
export type { LostRequest, RetryLost } from "./lost-requests.js";
export type { McpClient } from "./mcp-client.js";
export { type ListenerHandle, McpClientBase } from "./mcp-client-base.js";
export type { ResourceListener, SubscribeOptions } from "./resource-watch.js";
export type { Restart } from "./restart-schedule.js";
export type { StdioTarget } from "./stdio-target.js";
export { isResourceNotFound } from "../../features/index.js";
export type { OpenSession, Resumption } from "../../wire/index.js";
