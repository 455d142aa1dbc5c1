export type { AccessRule } from "./access-rule.js";
export { CheckedTools, type CheckedToolsOptions, type ToolsClient } from "./checked-tools.js";
export {
  type CompletionCall,
  type CompletionReference,
  Completions,
  type CompletionsOptions,
  type CompletionSource,
  type Completer,
  type Completers,
  type Removable,
  type Suggestions,
} from "./completions.js";
export {
  checkedPageSize,
  Cursors,
  type CursorsOptions,
  type Page,
  type PageRequest,
  type Position,
} from "./cursors.js";
export { webUrl } from "./elicitation/web-url.js";
export { formIssues } from "./elicitation/check-form.js";
export { completeElicitation, elicitForm, elicitUrl } from "./elicitation/elicit.js";
export type {
  ContentOf,
  ElicitationAnswer,
  FormAnswer,
  FormElicitation,
  UrlElicitation,
} from "./elicitation/elicitation-types.js";
export { Elicitation, type ElicitationOptions } from "./elicitation/elicitation.js";
export type {
  BooleanField,
  ChoicesField,
  FormContent,
  FormField,
  FormSchema,
  FormValue,
  NumberField,
  Option,
  TextField,
} from "./elicitation/form-schema.js";
export {
  UrlElicitationRequiredError,
  urlElicitationsOf,
} from "./elicitation/url-elicitation-required-error.js";
export { withKnownMeta } from "./elicitation/known-meta.js";
export {
  COMPLETE,
  knowsCompletion,
  startedElicitations,
  toldOfCompletion,
} from "./elicitation/started-elicitations.js";
export { errorResult } from "./error-result.js";
export type { Flat, FromSchema, Literal, ObjectFromSchema } from "./from-schema.js";
export type { PagingOptions } from "./listing.js";
export { LOG_LEVELS, type LogLevel } from "../wire/index.js";
export { type Log, Logging, type LoggingOptions } from "./logging.js";
export {
  type ArgumentValues,
  type PromptArguments,
  type PromptCall,
  type PromptDefinition,
  type PromptHandler,
  Prompts,
  type PromptsOptions,
  type TypedPrompt,
} from "./prompts.js";
export type { Registration } from "./registry.js";
export { resourceNotFound } from "./resource-not-found.js";
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
export { withJsonText } from "./json-text.js";
export { isResourceNotFound } from "./resource-not-found.js";
export { Resources } from "./resources.js";
export { type RootDefinition, Roots } from "./roots.js";
export {
  type ConversationMessage,
  Sampling,
  type SamplingOptions,
  type SamplingRequest,
} from "./sampling.js";
export { checkedBy, checkOf, type Schemas } from "./schema-checks.js";
export type { SchemaCheck, SchemaCompiler } from "./schema-compiler.js";
export { refuseArguments } from "./tool-calls.js";
export { ToolError } from "./tool-error.js";
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
export type { TemplateMatch, TemplateValues } from "./uri-template/uri-template.js";
export { UriTemplate } from "./uri-template/uri-template.js";
export { UserRejectedError } from "./user-rejected-error.js";
