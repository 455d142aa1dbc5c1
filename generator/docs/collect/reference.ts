import type { Entry as DiffEntry } from "../../diff/diff-sections.js";
import type { ProtocolChange } from "../../diff/impact/protocol-change.js";
import type { ProtocolDiff } from "../../diff/protocol-diff.js";
import type { Facts } from "../../link/facts.js";
import type { Method, Protocol } from "../../link/protocol.js";
import type { Example } from "./examples.js";
import type { Loss } from "./losses.js";
import type { Shapes } from "../../model/shape.js";

export interface Reference {
  /** The protocol's name, or the id of the newest revision if the protocol has no name. */
  readonly name: string;
  /** The revisions, oldest first. */
  readonly revisions: readonly Revision[];
  /** The methods in the newest revision's order, followed by removed ones. */
  readonly methods: readonly Entry[];
  readonly types: readonly Entry[];
  /** All pairs of revisions: first neighbours, oldest first; then pairs with one revision between them, and so on. */
  readonly steps: readonly Step[];
  readonly extensions: readonly Extension[];
  /** The changes, by method, that are made when messages are translated into older revisions. */
  readonly losses: ReadonlyMap<string, readonly Loss[]>;
}

export interface Revision {
  readonly id: string;
  readonly facts: Facts;
  readonly protocol: Protocol;
  /** The shapes of the revision's types and of its inline parameters. The latter have no pages. */
  readonly shapes: Shapes;
  readonly methods: ReadonlyMap<string, Method>;
  readonly uses: ReadonlyMap<string, readonly Use[]>;
  readonly examples: ReadonlyMap<string, readonly Example[]>;
  /** The strings to use in example messages, by place. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Extension {
  /** The extension's id, such as `io.modelcontextprotocol/tasks`. */
  readonly id: string;
  readonly page: string;
  readonly base: Revision;
  /** The messages and types that the extension itself declares, in the form of a revision. */
  readonly revision: Revision;
}

/** A named method or type, in all revisions that have it. */
export interface Entry {
  readonly name: string;
  /** The path of its page, including the file extension. */
  readonly page: string;
  /** The revisions that have the method or type, oldest first. There is at least one. */
  readonly revisions: readonly Revision[];
  readonly history: NameHistory;
}

export interface Step {
  readonly from: Revision;
  readonly to: Revision;
  readonly page: string;
  readonly diff: ProtocolDiff;
  readonly changes: readonly ProtocolChange[];
}

/** The changes to a method or type, newest first. */
export type NameHistory = readonly NameChanges[];

export interface NameChanges {
  readonly step: Step;
  readonly changes: readonly HistoryChange[];
}

export interface HistoryChange {
  readonly mark: DiffEntry["mark"];
  readonly text: string;
  /** The member of the diff that states the change, and its place in the type, such as `members added content`. */
  readonly key: string;
}

export interface Use {
  readonly name: string;
  readonly kind: "type" | "params" | "result" | "error";
}
