import type { Side } from "../../../runtime/wire/revision/revision.js";
import type { Package } from "../support/packages.js";
import { Conversation } from "./conversation.js";
import { contentProblems, isCapable } from "./content.js";
import { kindOf, type Wire } from "./wire-message.js";

export interface TapOptions {
  /** The packages of the negotiable revisions. The first one applies until the negotiation. */
  readonly packages: readonly Package[];
  /** The side whose end of the connection the tap observes. */
  readonly side: Side;
  /** True if a revision was negotiated earlier. In that case the client is unknown. */
  readonly assumed?: boolean;
  /** True to check received messages too; false if a test sends an invalid one on purpose. */
  readonly checksReceived?: boolean;
  readonly onviolation?: (text: string) => void;
}

/** Listens at one end of a connection and checks every message against the revision in force. */
export class Tap {
  readonly violations: string[] = [];
  readonly #options: TapOptions;
  readonly #conversation: Conversation;

  constructor(options: TapOptions) {
    this.#options = options;
    this.#conversation = new Conversation(options.packages, options.assumed ?? false);
  }

  /** Records a value that this end sends. */
  sent(value: unknown): void {
    const { side } = this.#options;
    this.#take(value, side, true);
  }

  /** Records a value that arrives at this end. */
  received(value: unknown): void {
    const { side, checksReceived = true } = this.#options;
    this.#take(value, side === "client" ? "server" : "client", checksReceived);
  }

  /** Records a value that arrives at this end and is not a valid message. */
  unreadable(value: unknown): void {
    this.#conversation.noteUnreadable(value, this.#options.side === "client" ? "server" : "client");
  }

  #take(value: unknown, from: Side, isChecked: boolean): void {
    const report = (problem: string): void => {
      if (isChecked) this.#complain(`${from}: ${problem}: ${shown(value)}`);
    };
    if (!Array.isArray(value)) return this.#message(value as Wire, from, report, false);
    if (!this.#conversation.package.revision.traits.batching) report("a batch");
    if (value.length === 0) report("an empty batch");
    for (const message of value) this.#message(message as Wire, from, report, true);
  }

  #complain(text: string): void {
    this.violations.push(text);
    this.#options.onviolation?.(text);
  }

  #message(message: Wire, from: Side, report: (problem: string) => void, inBatch: boolean): void {
    const kind = kindOf(message);
    const conversation = this.#conversation;
    if (kind === undefined) {
      conversation.noteUnreadable(message, from);
      return report("no JSON-RPC message");
    }
    const isOwn = from === this.#options.side;
    const problems = [
      ...contentProblems(conversation, message, kind, from),
      ...(isOwn ? conversation.orderProblems(message, kind, from, inBatch) : []),
      ...(isOwn && !isCapable(conversation, message, kind, from)
        ? ["an undeclared capability"]
        : []),
    ];
    for (const problem of problems) report(problem);
    conversation.note(message, kind, from);
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
