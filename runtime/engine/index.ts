export {
  type Address,
  type Admitted,
  type Exchange,
  type Outbound,
  addressOf,
  admission,
  sendable,
  undeclared,
} from "./send/admission.js";
export { type Binding, joinedTopics, receivable, rowOf } from "./define/binding.js";
export { type Route, inboundRoute, outboundRoute } from "./define/route.js";
export { ofLifecycle } from "./define/choose-lifecycle.js";
export { ClientBase, type ConnectedServer } from "./connect/client.js";
export { collectHandlers, WrappingHandler } from "./define/collect-handlers.js";
export {
  acceptsParams,
  acceptsResult,
  invalidAnswer,
  invalidResult,
  isSendable,
  paramsIssues,
  resultIssues,
  summarize,
} from "./define/validity.js";
export {
  askedInOnce,
  closedHere,
  endedEarly,
  notSent,
  tooEarly,
} from "./define/connection-errors.js";
export type { Conversation, Reply } from "./receive/conversation.js";
export { errorLog } from "./define/error-log.js";
export type {
  Agreement,
  Attempt,
  Connection,
  Conversations,
  Lifecycle,
  LifecycleStrategy,
  Opening,
  Start,
  StatelessDoor,
} from "./connect/lifecycle.js";
export { requireCapability, unanswerable } from "./receive/missing-capability.js";
export { Once } from "./receive/once.js";
export { middlewareAround } from "./send/call.js";
export type {
  Continuation,
  PendingRequest,
  PendingRequests,
  SentRequest,
} from "./send/pending-request.js";
export { ProgressSender } from "./receive/progress-sender.js";
export { internalError, invalidParams } from "./define/refusal.js";
export { type OpenResponse, RequestContext } from "./receive/request-context.js";
export type { Round } from "./receive/round.js";
export { type ConnectedClient, ServerBase } from "./connect/server.js";
export type { SideDefinition } from "./define/side-definition.js";
export { isSingleUse, markSingleUse } from "./send/single-use.js";
export type { StatelessRequests } from "./connect/stateless-requests.js";
