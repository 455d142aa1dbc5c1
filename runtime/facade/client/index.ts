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
} from "./events.js";
export type {
  Answers,
  ClientPlugin,
  ConnectOptions,
  ElicitHandler,
  OpenClient,
  PluggedIn,
  Relisten,
  ServerDescription,
  Target,
} from "./client-options.js";
export { type Connect, connectWith } from "./connect.js";
export {
  type Era,
  type EraCache,
  MemoryEraCache,
  type MemoryEraCacheOptions,
} from "./open-connection.js";
export type { LostRequest, RetryLost } from "./requests.js";
export {
  type ListenerHandle,
  type McpClient,
  McpClientBase,
  type ToolCallOptions,
} from "./mcp-client-base.js";
export type { ResourceListener, SubscribeOptions } from "./changes.js";
export type { Restart } from "./live-connection.js";
export type { StdioTarget } from "./targets.js";
export { isResourceNotFound } from "../../features/index.js";
export type { OpenSession, Resumption } from "../../wire/index.js";
