import type { ChangeClass } from "../change-class.js";

export type Side = "client" | "server";

/** One difference between two revisions, and who has to do something about it. */
export interface ProtocolChange {
  readonly class: ChangeClass;
  /** Sides that have to change what they do; none where the change is not breaking. */
  readonly sides: readonly Side[];
  /** Method, declared type, trait, convention or constant. */
  readonly name: string;
  /** JSON pointer into the parameters, the result or the type, where `*` stands for all members or elements; empty for all of it. */
  readonly pointer: string;
  readonly message: string;
  /** True when the class is a precaution: what changed could not be compared. */
  readonly undecided?: true;
}

export const BOTH: readonly Side[] = ["client", "server"];

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** Sides of a sender as the model writes it. */
export function sidesOf(from: Side | "both"): readonly Side[] {
  return from === "both" ? BOTH : [from];
}

/** A change that is breaking for some sides, and additive where there are none. */
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
