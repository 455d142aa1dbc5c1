/** All that the other packages here import of the runtime. It is made for that: names in here change in any version. */
export { rowOf } from "./binding.js";
export { missingCapability, missingForParams } from "./capabilities.js";
export { acceptsResult } from "./conformity.js";
export type { CustomMessage } from "./custom.js";
export { LONGEST_DELAY } from "./deadlines.js";
export {
  ConnectionClosedError,
  describeThrown,
  HandlerError,
  InvalidMessageError,
  LifecycleError,
  LocalError,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  UsedTransportError,
} from "./errors.js";
export type { Feature, FeatureHost } from "./feature.js";
export { checkedPageSize, Cursors } from "./features/cursors.js";
export type { SchemaCheck, SchemaCompiler } from "./features/schema-compiler.js";
export { parseTemplate } from "./features/uri-template/parse-template.js";
export type { TemplateMatch, TemplateValues } from "./features/uri-template/read-values.js";
export { UriTemplate } from "./features/uri-template/uri-template.js";
export type { AnyHandler, HandlerContext } from "./handlers.js";
export { invalidResult } from "./invalid-result.js";
export { reject } from "./issues.js";
export {
  type ErrorObject,
  type Frame,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isRequestId,
  type NotificationMessage,
  quote,
  type RequestId,
} from "./jsonrpc.js";
export { undeclared } from "./lifecycle/admission.js";
export type { SendNotification, SendRequest } from "./message-types.js";
export type { AnyCall, AnyMiddleware, Next } from "./middleware.js";
export type { RequestOptions } from "./options.js";
export type { Auth } from "./origin.js";
export { ProgressSender } from "./progress-sender.js";
export { quiet } from "./quiet.js";
export { internalError } from "./refusal.js";
export type { Method, Revision } from "./revision.js";
export type { Session } from "./session.js";
export { deliver } from "./transport/decode.js";
export { type FramingOptions, LineFraming } from "./transport/framing.js";
export type { Malformed, Receiver, Transport } from "./transport/transport.js";
export { isObject } from "./validate.js";
export type { Issue } from "./validation.js";
