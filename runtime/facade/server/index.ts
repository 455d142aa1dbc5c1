export type { NewestNames } from "../list-events.js";
export { DeprecationWarning } from "../../rules/index.js";
export { InsufficientScopeError, RpcError, UnavailableError } from "../../wire/index.js";
export { ToolError, UrlElicitationRequiredError } from "../../features/server/index.js";
export { InputRequired } from "../../api/index.js";
export type {
  Abilities,
  AskingContext,
  AskOptions,
  FormContentOf,
  FormOrSchema,
  FormOutcome,
  FormQuestion,
  FurtherAbilities,
  KnownClient,
  RequestView,
  ServerContext,
  UrlOutcome,
  UrlQuestion,
} from "./context-types.js";
export type { DescribedExtension, ExtensionOptions } from "../extensions/extension-types.js";
export {
  acceptedContent,
  type Asking,
  inputRequired,
  type RequiredInput,
} from "./input-required.js";
export type { ServerObserver } from "./handlers.js";
export type { ItemCallback, ItemConfig, ItemHandle, UseMethod } from "./item-types.js";
export { type Connectable, connectInMemory, McpServerBase } from "./mcp-server.js";
export type {
  LowLevelServer,
  McpServerOptions,
  MethodHandler,
  MethodHandlers,
  Notifier,
  ReceivedMethod,
} from "./mcp-server-options.js";
export type { AnyTypes, GivenResult, NeutralTypes } from "../neutral-types.js";
export { completable, isCompletable } from "./completable.js";
export type {
  ArgumentsOf,
  HandlerWithoutArgsSchema,
  MessageOutcome,
  PromptCallback,
  PromptConfig,
  PromptHandle,
  PromptOutcome,
} from "./prompt-types.js";
export { ResourceTemplate } from "./resource-template.js";
export type {
  ConfigAt,
  ListedResources,
  ListResources,
  ReadAt,
  ReadCallback,
  ReadOutcome,
  ReadTemplateCallback,
  ResourceConfig,
  ResourceHandle,
  ResourceHandleAt,
  ResourceTemplateOptions,
  TemplateConfig,
} from "./resource-types.js";
export { ResourceNotFoundError } from "./resources.js";
export type {
  AnySchema,
  JsonSchema,
  SchemaInput,
  SchemaOutput,
  StandardSchema,
} from "./schema-types.js";
export { Structured, structured } from "./tools.js";
export type {
  Awaitable,
  HandlerWithoutInputSchema,
  PlainOutcome,
  StructuredOutcome,
  ToolCallback,
  ToolConfig,
  ToolHandle,
  ToolOutcome,
  ToolResult,
} from "./tool-types.js";
