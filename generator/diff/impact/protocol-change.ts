import type { ChangeClass } from "../changes.js";
import type { Aspect, MethodChange } from "../protocol-diff.js";

export type Side = "client" | "server";

/**
 * The kind of a change to a whole revision, a method or a value. For values:
 * - `required`: must now be present; `optional`: may now be absent
 * - `new`: an optional member was added; `gone`: an optional member was removed; `lacking`: a required member was
 *   removed
 * - `more`, `fewer`: alternatives were added or removed; `limit`: the range has changed; `type`: the type has changed;
 *   `open`: the value may now be anything
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

/** The parts of a change that sentences addressed to one side need. */
export interface ChangeDetail {
  readonly kind: ChangeKind;
  /** The sides that send the message or value; empty if the change concerns the whole revision. */
  readonly senders: readonly Side[];
  /** The new value, type or limit, as text. */
  readonly to?: string;
}

export interface ProtocolChange {
  readonly class: ChangeClass;
  /** The sides that have to change; empty if the change is not breaking. */
  readonly sides: readonly Side[];
  /** The name of the changed method, declared type, trait, convention or constant. */
  readonly name: string;
  /**
   * A JSON pointer into the parameters, the result or the type. `*` stands for all members or elements. The pointer is
   * empty if the change concerns the whole type.
   */
  readonly pointer: string;
  readonly message: string;
  /** True if the class was chosen as a precaution, because the change could not be compared. */
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
