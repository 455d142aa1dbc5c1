export {
  type DeclaredCapabilities,
  type UndeclaredParams,
  declaredBy,
  dropUndeclared,
  isDeclared,
  mergeCapabilities,
  missingCapability,
  missingForParams,
  otherSide,
  ownerOf,
  refusedIn,
  undeclaredBy,
  withoutDropped,
} from "./capabilities.js";
export { classify } from "./classify.js";
export { type DecodeOptions, deliver, isDeeperThan } from "./decode.js";
export {
  CapabilityError,
  ConnectionClosedError,
  HandlerError,
  InputRefusedError,
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
  UsedTransportError,
  describeThrown,
} from "./errors.js";
export { type FramingOptions, LineFraming } from "./framing.js";
export { isEnvelope, messageMembers } from "./is-message.js";
export { isResponse } from "./is-response.js";
export {
  MAX_DEPTH,
  reject,
  rejectDepth,
  rejectTag,
  rejectUnion,
  report,
  within,
  withinOwn,
} from "./issues.js";
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
export { elements, maybe, ownMembers } from "./members.js";
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
export type { Loss, MessagePart, OnLoss, ProjectError, Projection } from "./projection.js";
export { receivedError, wasReceived } from "./received-error.js";
export type { Conventions, Method, MethodTable, Revision, Role, Side, Traits } from "./revision.js";
export { metaOf, revisionNamed } from "./message-meta.js";
export type {
  Malformed,
  Receiver,
  StatelessExchanges,
  Transport,
  TransportHooks,
} from "./transport.js";
export { answerToUnreadable, whatIsWrong } from "./unreadable.js";
export {
  hasLength,
  isArray,
  isBetween,
  isBoolean,
  isDefined,
  isInteger,
  isNumber,
  isObject,
  isOptionalBoolean,
  isOptionalObject,
  isOptionalString,
  isPlain,
  isString,
  ownMember,
} from "./validate.js";
export type { Issue, Trace, Validator } from "./validation.js";
