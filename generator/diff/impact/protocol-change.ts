import type { ChangeClass } from "../changes.js";
import type { Aspect, MethodChange } from "../protocol-diff.js";

export type Side = "client" | "server";

/**
 * Kind of a change to a whole revision, to a method or to a value. For values:
 *
 * - `required`: must be present now; `optional`: may be absent now
 * - `new`: a new optional member; `gone`: an optional member was removed; `lacking`: a required member was removed
 * - `more`, `fewer`: alternatives; `limit`: another range; `type`: another type; `open`: may be anything now
 */
export type ChangeKind =
  | "value"
  | "constant"
  | "deprecated"
  | Exclude<MethodChange["change"], "changed">
  | Aspect["aspect"]
  | ValueKind;

export type ValueKind =
  | "required"
  | "optional"
  | "new"
  | "gone"
  | "lacking"
  | "more"
  | "fewer"
  | "limit"
  | "type"
  | "open";

/** Parts of a change, for sentences addressed to one side. */
export interface ChangeDetail {
  readonly kind: ChangeKind;
  /** Sides that send the message or value; empty if the whole revision is concerned. */
  readonly senders: readonly Side[];
  /** New value, type or limit, as text. */
  readonly to?: string;
}

export interface ProtocolChange {
  readonly class: ChangeClass;
  /** Sides that have to change; empty if the change is not breaking. */
  readonly sides: readonly Side[];
  /** Name of the changed method, declared type, trait, convention or constant. */
  readonly name: string;
  /**
   * JSON pointer into the parameters, the result or the type. `*` stands for all members or elements; the pointer is
   * empty for the whole type.
   */
  readonly pointer: string;
  readonly message: string;
  /** True if the class is a precaution, because the change could not be compared. */
  readonly undecided?: true;
  readonly detail: ChangeDetail;
}

export const BOTH: readonly Side[] = ["client", "server"];

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

export function sidesOf(from: Side | "both"): readonly Side[] {
  return from === "both" ? BOTH : [from];
}

/** Creates a change that is breaking for the listed sides, or additive if the list is empty. */
export function changeFor(
  sides: readonly Side[],
  name: string,
  pointer: string,
  message: string,
  detail: ChangeDetail,
  undecided = false,
): ProtocolChange {
  const known = BOTH.filter((side) => sides.includes(side));
  const kind = known.length > 0 ? "breaking" : "additive";
  const own = { class: kind, sides: known, name, pointer, message, detail } as const;
  return { ...own, ...(undecided && { undecided }) };
}

export function deprecatedChange(name: string, pointer: string): ProtocolChange {
  const detail = { kind: "deprecated", senders: [] } as const;
  return { class: "prose", sides: [], name, pointer, message: "deprecated", detail };
}
