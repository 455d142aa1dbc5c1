export { ClientBase, type ConnectedServer } from "./client.js";
export {
  type Check,
  type CustomHandler,
  type CustomMessage,
  type CustomNotification,
  type CustomRequest,
  customNotification,
  customRequest,
  onCustom,
} from "./custom.js";
export {
  CapabilityError,
  ConnectionClosedError,
  HandlerError,
  InvalidMessageError,
  LifecycleError,
  LocalError,
  type LocalErrorCode,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  UnsupportedRevisionError,
  UsedTransportError,
} from "./errors.js";
export type { Feature, FeatureHost } from "./feature.js";
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
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
export type { AnyCall, AnyMiddleware, CallOf, Middleware, Next } from "./middleware.js";
export type {
  ClientOptions,
  ConnectOptions,
  KeepAlive,
  Progress,
  RequestOptions,
  ServeOptions,
  ServerOptions,
  Timeouts,
} from "./options.js";
export type { Auth, Origin } from "./origin.js";
export type { PageOptions } from "./paging.js";
export type { Conventions, Method, MethodTable, Revision, Side, Traits } from "./revision.js";
export { type ConnectedClient, ServerBase } from "./server.js";
export type { PeerDescription, Session } from "./session.js";
export { deliver } from "./transport/decode.js";
export { type FramingOptions, LineFraming } from "./transport/framing.js";
export { memoryPair, type MemoryPairOptions } from "./transport/memory.js";
export type { Malformed, Receiver, Transport } from "./transport/transport.js";
export type { Issue, Trace, Validator } from "./validation.js";
