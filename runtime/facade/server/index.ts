export type { NewestNames } from "../list-events.js";
export { DeprecationWarning } from "../../rules/index.js";
export { InsufficientScopeError, RpcError, UnavailableError } from "../../wire/index.js";
export { ToolError, UrlElicitationRequiredError } from "../../features/index.js";
export { jsonSchemas } from "../../json-schema/index.js";
export { InputRequired } from "../../api/index.js";
export { completable, isCompletable } from "./completable.js";
export { type Connectable, connectInMemory } from "./connect-in-memory.js";
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
} from "./extension-types.js";
export { acceptedContent, type AnswerView, inputResponse } from "./input-answers.js";
export { type Asking, inputRequired, type RequiredInput } from "./input-required.js";
export { LossWarning } from "./loss-warnings.js";
export type { LowLevelServer, MethodHandler, MethodHandlers, ReceivedMethod } from "./low-level.js";
export { type LogEntry, McpServerBase, type Notifier } from "./mcp-server.js";
export type { McpServerOptions } from "./mcp-server-options.js";
export type { AnyTypes, GivenResult, NeutralTypes } from "./neutral-types.js";
export type {
  ArgumentsOf,
  HandlerWithoutArgsSchema,
  MessageOutcome,
  PromptCallback,
  PromptConfig,
  PromptHandle,
  PromptOutcome,
} from "./prompt-types.js";
export type { RequestView } from "./request-view.js";
export { ResourceNotFoundError } from "./resource-not-found-error.js";
export {
  type ListedResources,
  type ListResources,
  ResourceTemplate,
  type ResourceTemplateLike,
  type ResourceTemplateOptions,
} from "./resource-template.js";
export type {
  ConfigAt,
  ReadAt,
  ReadCallback,
  ReadOutcome,
  ReadTemplateCallback,
  ResourceConfig,
  ResourceHandle,
  ResourceHandleAt,
  TemplateConfig,
} from "./resource-types.js";
export type {
  SchemaInput,
  AnySchema,
  JsonSchema,
  SchemaOutput,
  ShapeOfSchemas,
  StandardSchema,
} from "./schema-types.js";
export { Structured, structured } from "./structured.js";
export type {
  HandlerWithoutInputSchema,
  PlainOutcome,
  StructuredOutcome,
  ToolCallback,
  ToolConfig,
  ToolHandle,
  ToolOutcome,
  ToolResult,
} from "./tool-types.js";
