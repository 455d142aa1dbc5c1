import type { Revision, Side } from "@mcp-codegen/runtime";
import type { TapeLine } from "../tape/index.js";
import type { CheckId } from "./check-table.js";
import type { Conversation } from "./conversation.js";
import type { Finding } from "./finding.js";

export interface Scope {
  readonly line: TapeLine;
  readonly from: Side;
  readonly conversation: Conversation;
  revision: Revision;
  /**
   * Revision by which the whole tape is judged, regardless of what was negotiated; undefined to use the negotiated
   * revisions.
   */
  readonly forced: Revision | undefined;
  /** JSON pointer to the message in the line: empty, or its index in a batch. */
  readonly place: string;
  /** Reports a finding, with the received value shortened. */
  report(
    id: CheckId,
    pointer: string,
    expected: string,
    received: unknown,
    other?: Partial<Pick<Finding, "n" | "from">>,
  ): void;
}
