import type { RequestId } from "../wire/index.js";

/** Record of a received request that is over, for access logs and audits. */
export interface RequestRecord {
  readonly method: string;
  readonly id: RequestId;
  /** Revision under which it was handled, such as `2025-11-25`; undefined before one was agreed on. */
  readonly revision: string | undefined;
  /** Principal of its sender, where that was authenticated. */
  readonly principal: string | undefined;
  /** Id of its session, where the transport names its sessions. Whoever reads it may be able to join the session. */
  readonly sessionId: string | undefined;
  /** Time from its arrival, in milliseconds. */
  readonly milliseconds: number;
  readonly outcome: "result" | "error" | "cancelled";
  /** Code of the error. */
  readonly code?: number | undefined;
  /** Reason that the peer gave for cancelling, or why nobody waits for an answer. */
  readonly reason?: string | undefined;
}
