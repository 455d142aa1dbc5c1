/** Clients for servers of any revision: `@mcp-codegen/runtime/facade/client`. */
export type {
  ClientEvent,
  ClientEvents,
  ClientListener,
  CommonEvents,
  LogMessage,
} from "./events.js";
export {
  type Answers,
  type ClientExtension,
  type ClientExtensionOptions,
  type ClientPlugin,
  type ConnectOptions,
  type ElicitHandler,
  type OpenClient,
  type PluggedIn,
  type Relisten,
  type ServerDescription,
  type Target,
  onExtension,
} from "./client-options.js";
export { type Connect, connectWith } from "./connect.js";
export { type Era, type EraCache, MemoryEraCache, type MemoryEraCacheOptions } from "./eras.js";
export type { LostRequest, RetryLost } from "./requests.js";
export {
  type ListenerHandle,
  type McpClient,
  McpClientBase,
  type ToolCallOptions,
} from "./mcp-client-base.js";
export type { ResourceListener, SubscribeOptions } from "./changes.js";
export type { Restart, StdioTarget } from "./targets.js";
export { isResourceNotFound } from "../../api/index.js";
export type { OpenSession, Resumption } from "../../wire/index.js";
