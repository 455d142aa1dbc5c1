export {
  concernsParams,
  declaredBy,
  type DeclaredCapabilities,
  isDeclared,
  isDropped,
  mergeCapabilities,
  missingCapability,
  missingForParams,
  namesCapability,
  openConditions,
  otherSide,
  ownerOf,
  refusedIn,
  undeclaredBy,
  unmetConditions,
  withoutDropped,
} from "./revision/capabilities.js";
export {
  classify,
  type ErrorMessage,
  type ErrorObject,
  type Frame,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRequestId,
  type Message,
  METHOD_NOT_FOUND,
  type NotificationMessage,
  PARSE_ERROR,
  quote,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type ResultMessage,
} from "./messages/jsonrpc.js";
export { contentTest, formatIssues, hasFormats } from "./validation/content.js";
export { isDescribed, itemIssues, itemMembers } from "./validation/items.js";
export { hasMember } from "./validation/members.js";
export {
  answerToUnreadable,
  type DecodeOptions,
  deliver,
  isDeeperThan,
  revisionOfErrors,
  whatIsWrong,
} from "./messages/decode.js";
export {
  CapabilityError,
  ConnectionClosedError,
  describeThrown,
  HandlerError,
  InsufficientScopeError,
  InvalidMessageError,
  LifecycleError,
  LocalError,
  type LocalErrorCode,
  OverloadError,
  receivedError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  SessionMovedError,
  SharedError,
  SuspendedError,
  UnavailableError,
  UsedTransportError,
  wasReceived,
} from "./errors.js";
export { InputRefusedError, UnsupportedRevisionError } from "./client-errors.js";
export { explain, explainPart, validator } from "./validation/explain.js";
export {
  alternatives,
  jsonSchemaOf,
  memberParts,
  onlyValue,
  type Part,
  partOf,
} from "./validation/parts.js";
export { chosenRevisions, onDemand, type RevisionSummary } from "./revision/on-demand.js";
export {
  canExtend,
  extendedRevision,
  type ProtocolExtension,
} from "./revision/extended-revision.js";
export { ownMember, pointerNames, reject, report, valueAt, within } from "./validation/issues.js";
export { deriving, frameText, isValid, keep } from "./messages/kept.js";
export {
  LOG_LEVELS,
  type LogLevel,
  META,
  metaOf,
  revisionNamed,
  severityOf,
  withoutServerInfo,
} from "./messages/meta.js";
export {
  inLieuOf,
  methodTable,
  notification,
  optional,
  type OptionalParams,
  request,
} from "./revision/method-table.js";
export type {
  Auth,
  Malformed,
  OpenSession,
  Origin,
  Receiver,
  Resumption,
  SendingOptions,
  StatelessExchanges,
  Transport,
  TransportHooks,
} from "./messages/transport.js";
export {
  errorProjection,
  isResourceNotFound,
  resourceNotFound,
  statelessErrors,
} from "./revision/error-codes.js";
export type {
  Condition,
  Conventions,
  JoinedTopic,
  Loss,
  MessagePart,
  Method,
  MethodFamily,
  MethodTable,
  OnLoss,
  ProjectError,
  Projection,
  Revision,
  Role,
  Side,
  Traits,
} from "./revision/revision.js";
export {
  addShapes,
  type Issue,
  type Shapes,
  type Trace,
  type Validator,
} from "./validation/validator.js";
export {
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
  MAX_DEPTH,
} from "./validation/tests.js";
export {
  hasToolTurns,
  hasTraceContext,
  isFileUri,
  isReservedMetaKey,
  isUri,
  isWebUrl,
  leadsUpwards,
  toAscii,
  TRACE_MEMBERS,
} from "./validation/formats.js";
