import type { ChangeClass } from "../changes.js";

export type Side = "client" | "server";

/** One difference between two revisions, and the sides that have to react to it. */
export interface ProtocolChange {
  readonly class: ChangeClass;
  /** Sides that have to change; none if the change is not breaking. */
  readonly sides: readonly Side[];
  /** Method, declared type, trait, convention or constant. */
  readonly name: string;
  /**
   * JSON pointer into the parameters, the result or the type; `*` stands for all members or elements; empty for the
   * whole type.
   */
  readonly pointer: string;
  readonly message: string;
  /** True if the class is a precaution, because the change could not be compared. */
  readonly undecided?: true;
}

export const BOTH: readonly Side[] = ["client", "server"];

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** Sides of a sender in the notation of the model. */
export function sidesOf(from: Side | "both"): readonly Side[] {
  return from === "both" ? BOTH : [from];
}

/** A change that is breaking for the listed sides, and additive if there are none. */
export function changeFor(
  sides: readonly Side[],
  name: string,
  pointer: string,
  message: string,
  undecided = false,
): ProtocolChange {
  const known = BOTH.filter((side) => sides.includes(side));
  const kind = known.length > 0 ? "breaking" : "additive";
  return { class: kind, sides: known, name, pointer, message, ...(undecided && { undecided }) };
}
