export { type Binding, joinedTopics, receivable, rowOf, unbound, wrap } from "./define/binding.js";
export {
  requestedInOnce,
  closedHere,
  endedEarly,
  internalError,
  invalidParams,
  notConnected,
  notSent,
  tooEarly,
} from "./define/errors.js";
export { WrappingHandler, collectHandlers } from "./define/handlers.js";
export { errorLog, reporter } from "./define/logs.js";
export { type OutboundRoute, type Route, inboundRoute, paramsCheck } from "./define/route.js";
export { SideDefinition } from "./define/side-definition.js";
export { acceptsResult, resultIssues } from "./define/results.js";
export { invalidAnswer, invalidResult, oneLine, summarize } from "./define/validity.js";
export { errorToSend } from "./receive/dispatch.js";
export { ReceivedRequests } from "./receive/received-requests.js";
export { type ProgressSender, assertProgress, progressSender } from "./receive/progress-sender.js";
export {
  type Conversation,
  type OpenResponse,
  type Reply,
  RequestContext,
  type Round,
} from "./receive/request-context.js";
export {
  type Address,
  type Admitted,
  type RequestExchange,
  type Outbound,
  addressOf,
  admission,
  sendable,
  undeclared,
} from "./send/admission.js";
export { middlewareAround, sendThrough } from "./send/call.js";
export type {
  Continuation,
  PendingRequest,
  PendingRequests,
  OutgoingRequest,
} from "./send/pending-request.js";
export { Endpoint, ofLifecycle } from "./connect/endpoint.js";
export {
  ClientBase,
  type ConnectedServer,
  clientEndpoint,
  openSessionOf,
} from "./connect/client.js";
export { conversationUnder } from "./connect/connected-conversation.js";
export {
  type Agreement,
  type Attempt,
  type Connection,
  type Conversations,
  type Lifecycle,
  type LifecycleStrategy,
  type Opening,
  type Start,
  type StatelessDoor,
  type StatelessRequests,
} from "./connect/lifecycle.js";
export { type ConnectedClient, ServerBase } from "./connect/server.js";
