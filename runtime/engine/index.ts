export { Admission, sendable, undeclared } from "./admission.js";
export { type Binding, type Inbound, engineHandler, receivable, rowOf } from "./binding.js";
export { lifecycleOf, ofLifecycle } from "./choose-lifecycle.js";
export type { Lifecycles } from "./choose-lifecycle.js";
export { ClientBase, type ConnectedServer } from "./client.js";
export { collectHandlers } from "./collect-handlers.js";
export {
  acceptsParams,
  acceptsResult,
  invalidAnswer,
  paramsIssues,
  resultIssues,
  summarize,
} from "./conformity.js";
export { askedInOnce, closedHere, endedEarly, notSent, tooEarly } from "./connection-errors.js";
export type { Definition } from "./definition.js";
export { errorLog } from "./error-log.js";
export { Handling, type Standing } from "./handling.js";
export { invalidResult } from "./invalid-result.js";
export type {
  Admitted,
  Agreement,
  Attempt,
  Lifecycle,
  LifecycleStrategy,
  Opening,
  Outbound,
  Start,
} from "./lifecycle.js";
export { requireCapability, unanswerable } from "./missing-capability.js";
export { Once } from "./once.js";
export type { Outgoing } from "./outgoing.js";
export type { Peer } from "./peer.js";
export type { Continuation, Pending } from "./pending.js";
export { ProgressSender } from "./progress-sender.js";
export { internalError, invalidParams, refusal } from "./refusal.js";
export type { Round } from "./round.js";
export { type ConnectedClient, ServerBase } from "./server.js";
export { isSingleUse, markSingleUse } from "./single-use.js";
export type { Standalone } from "./standalone.js";
