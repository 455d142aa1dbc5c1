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
   * The revision by which the whole tape is judged, regardless of what was negotiated, or undefined to use the
   * negotiated revisions.
   */
  readonly forced: Revision | undefined;
  /** The JSON pointer to the message in the line. It is empty, or the message's index in a batch. */
  readonly place: string;
  /** Reports a finding. The received value is shortened. */
  report(
    id: CheckId,
    pointer: string,
    expected: string,
    received: unknown,
    other?: Partial<Pick<Finding, "n" | "from">>,
  ): void;
}
