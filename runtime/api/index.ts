export { type Bus, type BusEvent, MemoryBus } from "./bus.js";
export {
  type Check,
  type CustomMessage,
  type CustomNotification,
  customNotification,
  type CustomRequest,
  customRequest,
  type NotificationChecks,
  type RequestChecks,
} from "./custom.js";
export type { Feature, FeatureHost, Filter, LastingMethods, Listening } from "./feature.js";
export {
  type AnyHandler,
  type CustomHandler,
  type HandlerContext,
  type InputRequest,
  type NotificationHandler,
  onCustom,
  type PeerDescription,
  type RelatedCall,
  type RequestHandler,
  type Session,
  type TaskView,
} from "./handlers.js";
export { givenParams, type GivenParams, givenResult, type GivenResult } from "./given.js";
export {
  type InputQuestions,
  InputRequired,
  inputRequired,
  isInputRequired,
  isSingleUse,
  markSingleUse,
  OutcomeError,
  type RequiredInput,
} from "./outcomes.js";
export {
  DEFAULT_LIMITS,
  DEFAULT_RATE_LIMITS,
  type Limits,
  limitsOf,
  type RateLimit,
  type RateLimits,
} from "./limits.js";
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
} from "./messages.js";
export {
  type AnyCall,
  type AnyMiddleware,
  type AnySendMiddleware,
  type CallOf,
  type Middleware,
  type Next,
  type Send,
  type Sending,
  type SomeMiddleware,
} from "./middleware.js";
export type {
  ClientOptions,
  Freshness,
  KeepAlive,
  RequestRecord,
  ServeOptions,
  ServerOptions,
} from "./options.js";
export type { SendPageRequest, ItemOf, ListMember, PageOptions, ParamsOf } from "./paging/index.js";
export { isResourceNotFound, resourceNotFound } from "../wire/index.js";
export { type RoundsOptions, assertRounds } from "./rounds-options.js";
export type { ConnectOptions, Progress, RequestOptions, Timeouts } from "./request-options.js";
export type { Reading, RouteFacts, RouteSteps, StepSource } from "./steps.js";
