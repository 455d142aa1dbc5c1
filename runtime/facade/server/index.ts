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
export type {
  DescribedExtension,
  Extension,
  ExtensionMessage,
  ExtensionMessages,
  ExtensionOptions,
} from "../extensions/extension-types.js";
export {
  acceptedContent,
  type AnswerView,
  type Asking,
  inputRequired,
  inputResponse,
  type RequiredInput,
} from "./input-required.js";
export { LossWarning, type ServerObserver } from "./handlers.js";
export { type HeldCall, HeldCalls, type HeldCallsOptions } from "./held-calls.js";
export type { ItemCallback, ItemConfig, ItemHandle, UseMethod } from "./items.js";
export { type Connectable, connectInMemory, McpServerBase } from "./mcp-server.js";
export type {
  LogEntry,
  LowLevelServer,
  McpServerOptions,
  MethodHandler,
  MethodHandlers,
  Notifier,
  ReceivedMethod,
} from "./mcp-server-options.js";
export type { AnyTypes, GivenResult, NeutralTypes } from "../neutral-types.js";
export {
  type ArgumentsOf,
  completable,
  type HandlerWithoutArgsSchema,
  isCompletable,
  type MessageOutcome,
  type PromptCallback,
  type PromptConfig,
  type PromptHandle,
  type PromptOutcome,
} from "./prompts.js";
export {
  type ListedResources,
  type ListResources,
  ResourceTemplate,
  type ResourceTemplateOptions,
} from "./resource-template.js";
export {
  type ConfigAt,
  type ReadAt,
  type ReadCallback,
  type ReadOutcome,
  type ReadTemplateCallback,
  type ResourceConfig,
  type ResourceHandle,
  type ResourceHandleAt,
  ResourceNotFoundError,
  type TemplateConfig,
} from "./resources.js";
export type {
  AnySchema,
  JsonSchema,
  SchemaInput,
  SchemaOutput,
  ShapeOfSchemas,
  StandardSchema,
} from "./schema-types.js";
export {
  type Awaitable,
  type HandlerWithoutInputSchema,
  type PlainOutcome,
  Structured,
  structured,
  type StructuredOutcome,
  type ToolCallback,
  type ToolConfig,
  type ToolHandle,
  type ToolOutcome,
  type ToolResult,
} from "./tools.js";
