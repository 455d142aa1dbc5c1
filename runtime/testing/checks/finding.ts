export type Severity = "error" | "warning" | "hint";

/** A fault that a check has found in one line of a conversation. Findings are computed and never stored in a tape. */
export interface Finding {
  /** Id of the check. */
  readonly id: string;
  /** The number of the line, or undefined if something is missing at the end of the conversation. */
  readonly n?: number;
  readonly conversation: number;
  /** The side that sent the faulty message. */
  readonly from: "client" | "server";
  /**
   * A JSON pointer into the message. It is empty if it refers to the message as a whole, its HTTP exchange or its
   * framing.
   */
  readonly pointer: string;
  readonly expected: string;
  /** Received value, shortened. */
  readonly received: string;
  /** The URL of the page that states the requirement, or undefined if there is none. */
  readonly requirement?: string;
  readonly severity: Severity;
  /** The id of the revision by which the line was judged, or undefined if the revision was not yet known. */
  readonly revision?: string;
}
