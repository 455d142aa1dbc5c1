export type Severity = "error" | "warning" | "hint";

/** Result of a check of one line of a conversation. Computed, never stored in a tape. */
export interface Finding {
  /** Id of the check. */
  readonly id: string;
  /** Number of the line; undefined if something is missing at the end of a conversation. */
  readonly n?: number;
  readonly conversation: number;
  /** Side that sent the faulty message. */
  readonly from: "client" | "server";
  /** JSON Pointer into the message; empty for the whole message, or for its HTTP exchange or framing. */
  readonly pointer: string;
  readonly expected: string;
  /** Received value, shortened. */
  readonly received: string;
  /** Id of the requirement; undefined for a hint. */
  readonly requirement?: string;
  readonly severity: Severity;
  /** Id of the revision that the line was judged by; undefined before it is known. */
  readonly revision?: string;
}
