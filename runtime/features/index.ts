export {
  CheckedTools,
  type CheckedToolsOptions,
  type ListedTool,
  type ToolsClient,
} from "./checked-tools.js";
export type {
  CompletionCall,
  CompletionReference,
  CompletionsOf,
  CompletionSource,
  Completer,
  Completers,
  Suggestions,
} from "./completions/completers.js";
export { Completions, type CompletionsOptions, type Removable } from "./completions/completions.js";
export {
  Cursors,
  type CursorsOptions,
  type Page,
  type PageRequest,
  type Position,
} from "./cursors.js";
export { completeElicitation, elicitForm, elicitUrl } from "./elicitation/elicit.js";
export type {
  ElicitationAnswer,
  FormAnswer,
  FormElicitation,
  UrlElicitation,
} from "./elicitation/elicitations.js";
export { UrlElicitationRequiredError } from "./elicitation/url-elicitations.js";
export {
  Elicitation,
  type ElicitationOptions,
  urlElicitationsOf,
} from "./elicitation/elicitation.js";
export {
  type BooleanField,
  type ChoicesField,
  type ContentOf,
  type FormContent,
  type FormField,
  formIssues,
  type FormSchema,
  type FormValue,
  type NumberField,
  type Option,
  type TextField,
} from "./elicitation/forms.js";
export type { Flat, FromSchema, Literal, ObjectFromSchema } from "./from-schema.js";
export { type ItemHandler, type Items, itemsOf } from "./items.js";
export { LOG_LEVELS, type LogLevel } from "../wire/index.js";
export { type Log, Logging, type LoggingOptions } from "./logging.js";
export { Prompts, type PromptsOptions } from "./prompts.js";
export type {
  ArgumentValues,
  PromptArguments,
  PromptCall,
  PromptDefinition,
  PromptHandler,
  PromptOptions,
  TypedPrompt,
} from "./prompt-types.js";
export { checkedPageSize } from "./registry.js";
export type { AccessRule, Family, PagingOptions, Registration } from "./registry-types.js";
export type {
  TemplateFamily,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ReadContents,
  ReadResource,
  ReadTemplate,
  ResourcesOptions,
  SubscriptionOptions,
  TemplateOptions,
} from "./resource-types.js";
export { isResourceNotFound, resourceNotFound } from "../api/index.js";
export { Resources } from "./resource-templates.js";
export type { ResourceRegistry } from "./resources.js";
export { type RootDefinition, Roots } from "./roots.js";
export {
  type ConversationMessage,
  Sampling,
  type SamplingOptions,
  type SamplingRequest,
  UserRejectedError,
} from "./sampling.js";
export {
  checkedBy,
  checkOf,
  type DeferredCheck,
  type DeferredCompiler,
  type SchemaCheck,
  type SchemaCompiler,
  type Schemas,
} from "./schema-checks.js";
export { withJsonText } from "./structured-results/index.js";
export { errorResult, refuseArguments, ToolError } from "./tool-calls.js";
export type {
  StructuredContent,
  StructuredResult,
  ToolArguments,
  ToolCall,
  TaskRule,
  ToolChecks,
  ToolDefinition,
  ToolHandler,
  ToolRegistration,
  ToolSchema,
  ToolsOptions,
  TypedTool,
} from "./tool-types.js";
export { Tools } from "./tools.js";
export {
  type TemplateMatch,
  type TemplateValues,
  UriTemplate,
} from "./uri-template/uri-template.js";
