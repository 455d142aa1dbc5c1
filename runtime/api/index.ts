export { type Bus, type BusEvent, MemoryBus } from "./bus.js";
export {
  type Check,
  type CustomHandler,
  type CustomMessage,
  type CustomNotification,
  type CustomRequest,
  type NotificationChecks,
  type RequestChecks,
  assertIsCustom,
  customNotification,
  customRequest,
  onCustom,
} from "./custom.js";
export type { Feature, FeatureHost, Filter, LastingMethods, Listening } from "./feature.js";
export { givenParams, givenResult } from "./given-checks.js";
export type { GivenParams } from "./given-params.js";
export type { GivenResult } from "./given-result.js";
export type {
  AnyHandler,
  HandlerContext,
  TaskView,
  RelatedCall,
  NotificationHandler,
  RequestHandler,
} from "./handlers.js";
export {
  type InputRequest,
  InputRequired,
  type RequiredInput,
  type InputQuestions,
  inputRequired,
  isInputRequired,
} from "./input-required.js";
export { DEFAULT_LIMITS, type Limits, limitsOf } from "./limits.js";
export type {
  CustomParams,
  NotificationArguments,
  NotificationOf,
  NotificationTypes,
  RequestArguments,
  RequestOf,
  RequestTypes,
  ResultOf,
  SendNotification,
  SendRequest,
} from "./message-types.js";
export {
  type AnyCall,
  type AnyMiddleware,
  type CallOf,
  type Middleware,
  type Next,
  type SomeMiddleware,
  wrap,
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
export { OutcomeError } from "./outcome-error.js";
export {
  type AskForPage,
  type ItemOf,
  type ListMember,
  type PageOptions,
  type ParamsOf,
  pages,
} from "./paging.js";
export { DEFAULT_RATE_LIMITS, type RateLimit, type RateLimits } from "./rate-limits.js";
export type { RequestRecord } from "./request-record.js";
export { type RoundsOptions, assertRounds } from "./rounds-options.js";
export { type AnySendMiddleware, type Send, type Sending, sendThrough } from "./send-middleware.js";
export type { PeerDescription, Session } from "./session.js";
export type { Reading, RouteFacts, RouteSteps, StepSource } from "./steps.js";
