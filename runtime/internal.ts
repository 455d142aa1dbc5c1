/** All that the other packages here import of the runtime. It is made for that: names in here change in any version. */
export { toBase64 } from "./base64.js";
export { rowOf } from "./binding.js";
export { missingCapability, missingForParams } from "./capabilities.js";
export { classify } from "./classify.js";
export { ClientBase, type ConnectedServer } from "./client.js";
export { acceptsResult, summarize } from "./conformity.js";
export {
  type CustomHandler,
  type CustomMessage,
  customNotification,
  type CustomNotification,
  customRequest,
  type CustomRequest,
} from "./custom.js";
export { collectHandlers } from "./collect-handlers.js";
export { LONGEST_DELAY } from "./deadlines.js";
export { errorLog } from "./error-log.js";
export {
  CapabilityError,
  ConnectionClosedError,
  describeThrown,
  HandlerError,
  InputRefusedError,
  InvalidMessageError,
  LifecycleError,
  LocalError,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  SuspendedError,
  UnsupportedRevisionError,
  UsedTransportError,
} from "./errors.js";
export type { Feature, FeatureHost, Filter } from "./feature.js";
export { CheckedTools } from "./features/checked-tools.js";
export {
  type Completer,
  type Completers,
  Completions,
  type CompletionSource,
} from "./features/completions.js";
export { checkedPageSize, Cursors } from "./features/cursors.js";
export { elicitForm, elicitUrl } from "./features/elicitation/elicit.js";
export type {
  ContentOf,
  ElicitationAnswer,
  FormElicitation,
  UrlElicitation,
} from "./features/elicitation/elicitation-types.js";
export { Elicitation, type ElicitationOptions } from "./features/elicitation/elicitation.js";
export type { FormSchema } from "./features/elicitation/form-schema.js";
export { urlElicitationsOf } from "./features/elicitation/url-elicitation-required-error.js";
export type { Flat, FromSchema, ObjectFromSchema } from "./features/from-schema.js";
export { LOG_LEVELS, type LogLevel, severityOf } from "./features/log-levels.js";
export { type Log, Logging, type LoggingOptions } from "./features/logging.js";
export { namesCapability } from "./features/names-capability.js";
export { type PromptDefinition, type PromptHandler, Prompts } from "./features/prompts.js";
export type {
  Family,
  ReadContents,
  ReadResource,
  ReadTemplate,
  ResourceDefinition,
  ResourceTemplateDefinition,
  SubscriptionOptions,
} from "./features/resource-types.js";
export { Resources } from "./features/resources.js";
export { type RootDefinition, Roots } from "./features/roots.js";
export { Sampling, type SamplingOptions, type SamplingRequest } from "./features/sampling.js";
export { checkOf, type Schemas } from "./features/schema-checks.js";
export type { SchemaCheck, SchemaCompiler } from "./features/schema-compiler.js";
export { errorResult, refuseArguments } from "./features/tool-calls.js";
export { ToolError } from "./features/tool-error.js";
export type { ToolChecks, ToolDefinition, ToolHandler } from "./features/tool-types.js";
export { Tools } from "./features/tools.js";
export { parseTemplate } from "./features/uri-template/parse-template.js";
export type { TemplateMatch, TemplateValues } from "./features/uri-template/read-values.js";
export { UriTemplate } from "./features/uri-template/uri-template.js";
export type { GivenParams } from "./given-params.js";
export type { GivenResult } from "./given-result.js";
export type {
  AnyHandler,
  HandlerContext,
  NotificationHandler,
  RequestHandler,
} from "./handlers.js";
export { invalidResult } from "./invalid-result.js";
export { MAX_DEPTH, reject } from "./issues.js";
export {
  type ErrorObject,
  type Frame,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRequestId,
  METHOD_NOT_FOUND,
  type NotificationMessage,
  PARSE_ERROR,
  quote,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./jsonrpc.js";
export { Derivation, frameText } from "./kept.js";
export { undeclared } from "./lifecycle/admission.js";
export { clientOfAnyKind } from "./lifecycle/client-of-any-kind.js";
export { isHttpEvidence } from "./lifecycle/dual-client.js";
export { META, withoutServerInfo } from "./lifecycle/meta-keys.js";
export { serverOfAnyKind } from "./lifecycle/server-of-any-kind.js";
export { metaOf, standsAlone } from "./lifecycle/stands-alone.js";
export type { MembersOf } from "./members-of.js";
export type {
  CustomParams,
  NotificationArguments,
  RequestArguments,
  SendNotification,
  SendRequest,
} from "./message-types.js";
export type { AnyCall, AnyMiddleware, Next, SomeMiddleware } from "./middleware.js";
export type {
  ClientOptions,
  ConnectOptions,
  Freshness,
  RequestOptions,
  ServeOptions,
  ServerOptions,
} from "./options.js";
export type { Auth, Origin } from "./origin.js";
export { type AskForPage, type PageOptions, pages } from "./paging.js";
export {
  decodeHeaderValue,
  headerValueOf,
  type ParamHeader,
  paramHeadersOf,
  valueAt,
} from "./param-headers.js";
export { ProgressSender } from "./progress-sender.js";
export type { Loss, MessagePart, OnLoss, ProjectError, Projection } from "./projection.js";
export { quiet } from "./quiet.js";
export { internalError, invalidParams } from "./refusal.js";
export type { Method, Revision, Traits } from "./revision.js";
export {
  type InputRequest,
  InputRequired,
  inputRequired,
  isInputRequired,
} from "./rounds/input-required.js";
export { assertRounds } from "./rounds/rounds-options.js";
export type { AnySendMiddleware, Send, Sending } from "./send-middleware.js";
export { ServerBase } from "./server.js";
export type { Session } from "./session.js";
export type { SetOptional } from "./set-optional.js";
export { isSingleUse } from "./single-use.js";
export { subscribe, type SubscribingClient, type Subscription } from "./subscribe.js";
export { isThenable } from "./thenable.js";
export { type DecodeOptions, deliver, isDeeperThan } from "./transport/decode.js";
export { type FramingOptions, LineFraming } from "./transport/framing.js";
export { memoryPair, type MemoryPairOptions } from "./transport/memory.js";
export type { Malformed, Receiver, Transport } from "./transport/transport.js";
export { Tally } from "./tally.js";
export { answerToUnreadable, whatIsWrong } from "./unreadable.js";
export { isObject } from "./validate.js";
export type { Issue, Trace } from "./validation.js";
