export { Admission, sendable, undeclared } from "./admission.js";
export { type Binding, joinedTopics, receivable, rowOf } from "./define/binding.js";
export { type Route, inboundRoute, outboundRoute } from "./define/route.js";
export { ofLifecycle } from "./choose-lifecycle.js";
export { ClientBase, type ConnectedServer } from "./client.js";
export { collectHandlers, WrappingHandler } from "./collect-handlers.js";
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
export type { Connection } from "./connection.js";
export { askedInOnce, closedHere, endedEarly, notSent, tooEarly } from "./connection-errors.js";
export type { Conversation, Reply } from "./conversation.js";
export { errorLog } from "./error-log.js";
export type {
  Admitted,
  Agreement,
  Attempt,
  Conversations,
  Lifecycle,
  LifecycleStrategy,
  Opening,
  Start,
  StatelessDoor,
} from "./lifecycle.js";
export { requireCapability, unanswerable } from "./missing-capability.js";
export { Once } from "./once.js";
export { type Outbound, middlewareAround, outboundOf, withParams, written } from "./outbound.js";
export type { Continuation, PendingRequest } from "./pending-request.js";
export type { PendingRequests } from "./pending-requests.js";
export { ProgressSender } from "./progress-sender.js";
export { internalError, invalidParams } from "./define/refusal.js";
export { type OpenResponse, RequestContext } from "./request-context.js";
export type { Round } from "./round.js";
export { type ConnectedClient, ServerBase } from "./server.js";
export type { SideDefinition } from "./side-definition.js";
export { isSingleUse, markSingleUse } from "./single-use.js";
export type { StatelessRequests } from "./stateless-requests.js";
