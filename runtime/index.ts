export { type Bus, type BusEvent, MemoryBus } from "./bus.js";
export { ClientBase, type ConnectedServer } from "./client.js";
export {
  type Check,
  type CustomHandler,
  type CustomMessage,
  type CustomNotification,
  type CustomRequest,
  customNotification,
  customRequest,
  type NotificationChecks,
  onCustom,
  type RequestChecks,
} from "./custom.js";
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
} from "./errors.js";
export type { Feature, FeatureHost, Filter, Listening } from "./feature.js";
export type { GivenParams } from "./given-params.js";
export type { GivenResult } from "./given-result.js";
export type {
  AnyHandler,
  HandlerContext,
  NotificationHandler,
  RequestHandler,
} from "./handlers.js";
export {
  type ErrorMessage,
  type ErrorObject,
  type Frame,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Message,
  METHOD_NOT_FOUND,
  type NotificationMessage,
  PARSE_ERROR,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type ResultMessage,
} from "./jsonrpc.js";
export { clientOfAnyKind } from "./lifecycle/client-of-any-kind.js";
export { requireCapability } from "./lifecycle/missing-capability.js";
export { serverOfAnyKind } from "./lifecycle/server-of-any-kind.js";
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
export type { CustomParams, NotificationArguments, RequestArguments } from "./message-types.js";
export type { MembersOf } from "./members-of.js";
export type {
  AnyCall,
  AnyMiddleware,
  CallOf,
  Middleware,
  Next,
  SomeMiddleware,
} from "./middleware.js";
export type {
  ClientOptions,
  ConnectOptions,
  Freshness,
  KeepAlive,
  Progress,
  RequestOptions,
  ServeOptions,
  ServerOptions,
  Timeouts,
} from "./options.js";
export type { Auth, Origin } from "./origin.js";
export type { PageOptions } from "./paging.js";
export type { ParamHeader } from "./param-headers.js";
export type { Loss, MessagePart, OnLoss, ProjectError, Projection } from "./projection.js";
export type { Conventions, Method, MethodTable, Revision, Side, Traits } from "./revision.js";
export {
  InputRequired,
  inputRequired,
  type InputRequest,
  type Needed,
} from "./rounds/input-required.js";
export type { RoundsOptions } from "./rounds/rounds-options.js";
export type { AnySendMiddleware, Send, Sending } from "./send-middleware.js";
export { type ConnectedClient, ServerBase } from "./server.js";
export type { PeerDescription, Session } from "./session.js";
export {
  subscribe,
  type SubscribeOptions,
  type SubscribingClient,
  type Subscription,
} from "./subscribe.js";
export type { SetOptional } from "./set-optional.js";
export { type DecodeOptions, deliver } from "./transport/decode.js";
export { type FramingOptions, LineFraming } from "./transport/framing.js";
export { memoryPair, type MemoryPairOptions } from "./transport/memory.js";
export type { Malformed, Receiver, Transport } from "./transport/transport.js";
export type { Issue, Trace, Validator } from "./validation.js";
