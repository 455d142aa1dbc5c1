export type Severity = "error" | "warning" | "hint";

/** Fault that a check has found in one line of a conversation. Findings are computed, and never stored in a tape. */
export interface Finding {
  /** Id of the check. */
  readonly id: string;
  /** Number of the line; undefined if something is missing at the end of the conversation. */
  readonly n?: number;
  readonly conversation: number;
  /** Side that sent the faulty message. */
  readonly from: "client" | "server";
  /** JSON pointer into the message; empty for the message as a whole, its HTTP exchange or its framing. */
  readonly pointer: string;
  readonly expected: string;
  /** Received value, shortened. */
  readonly received: string;
  /** URL of the page that states the requirement; undefined if there is none. */
  readonly requirement?: string;
  readonly severity: Severity;
  /** Id of the revision by which the line was judged; undefined if the revision was not yet known. */
  readonly revision?: string;
}
