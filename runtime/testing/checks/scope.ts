import type { Revision, Side } from "@mcp-codegen/runtime";
import type { TapeLine } from "../tape/index.js";
import type { CheckId } from "./check-table.js";
import type { Conversation } from "./conversation.js";
import type { Finding } from "./finding.js";

/** Facts that the checks of one line share. */
export interface Scope {
  readonly line: TapeLine;
  readonly from: Side;
  readonly conversation: Conversation;
  /** Revision that the line is judged by. */
  revision: Revision;
  /** Revision that the whole tape is judged by, whatever was negotiated. */
  readonly forced: Revision | undefined;
  /** Place of the message in the line: empty, or its place in a batch. */
  readonly place: string;
  /** Reports a finding. `received` is the value itself. */
  report(
    id: CheckId,
    pointer: string,
    expected: string,
    received: unknown,
    other?: Partial<Pick<Finding, "n" | "from">>,
  ): void;
}
