export {
  type DeclaredCapabilities,
  type UndeclaredParams,
  declaredBy,
  concernsParams,
  dropUndeclared,
  isDeclared,
  mergeCapabilities,
  missingCapability,
  missingForParams,
  openConditions,
  otherSide,
  ownerOf,
  refusedIn,
  undeclaredBy,
  withoutDropped,
} from "./capabilities.js";
export { classify } from "./classify.js";
export { type FormatScope, contentTest, formatIssues, hasFormats } from "./content.js";
export { itemIssues, itemMembers } from "./item-issues.js";
export { type DecodeOptions, deliver, isDeeperThan } from "./decode.js";
export {
  CapabilityError,
  ConnectionClosedError,
  HandlerError,
  InputRefusedError,
  InsufficientScopeError,
  UnavailableError,
  InvalidMessageError,
  LifecycleError,
  LocalError,
  type LocalErrorCode,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  SuspendedError,
  UnsupportedRevisionError,
  SessionMovedError,
  UsedTransportError,
  describeThrown,
} from "./errors.js";
export { explain } from "./explain.js";
export { type RevisionSummary, onDemand } from "./on-demand.js";
export {
  type ProtocolExtension,
  canExtend,
  extendedRevision,
  inLieuOf,
} from "./extended-revision.js";
export { type FramingOptions, LineFraming } from "./framing.js";
export { ownMember, reject, report, within } from "./issues.js";
export {
  type ErrorMessage,
  type ErrorObject,
  type Frame,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type Message,
  type NotificationMessage,
  PARSE_ERROR,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type ResultMessage,
  isRequestId,
  quote,
} from "./jsonrpc.js";
export { Derivation, frameText, isValid, keep } from "./kept.js";
export { LOG_LEVELS, type LogLevel, severityOf } from "./log-levels.js";
export { META, withoutServerInfo } from "./meta-keys.js";
export {
  type OptionalParams,
  methodTable,
  notification,
  optional,
  request,
} from "./method-table.js";
export { namesCapability } from "./names-capability.js";
export type { Auth, Origin } from "./origin.js";
export {
  type ParamHeader,
  decodeHeaderValue,
  headerValueOf,
  paramHeadersOf,
  valueAt,
} from "./param-headers.js";
export { errorProjection } from "./projection.js";
export type { Loss, MessagePart, OnLoss, ProjectError, Projection } from "./projection.js";
export { receivedError, wasReceived } from "./received-error.js";
export type {
  Condition,
  Conventions,
  JoinedTopic,
  Method,
  MethodFamily,
  MethodTable,
  Revision,
  Role,
  Side,
  Traits,
} from "./revision.js";
export { metaOf, revisionNamed } from "./message-meta.js";
export { addShapes, type Shapes } from "./shape.js";
export type {
  Malformed,
  Receiver,
  StatelessExchanges,
  Transport,
  TransportHooks,
} from "./transport.js";
export type { OpenSession, Resumption, SendingOptions } from "./sending-options.js";
export { statelessErrors } from "./stateless-errors.js";
export { answerToUnreadable, revisionOfErrors, whatIsWrong } from "./unreadable.js";
export {
  MAX_DEPTH,
  hasItems,
  hasLength,
  isArray,
  isArrayOf,
  isBetween,
  isBoolean,
  isInteger,
  isMapOf,
  isNever,
  isNumber,
  isObject,
  isOptionalBoolean,
  isOptionalObject,
  isOptionalString,
  isString,
  matches,
} from "./validate.js";
export { hasToolTurns } from "./tool-turns.js";
export { TRACE_MEMBERS, hasTraceContext } from "./trace-context.js";
export { isFileUri, isUri, isWebUrl, leadsUpwards } from "./uri.js";
export type { Issue, Trace, Validator } from "./validation.js";
export { validator } from "./validator.js";
