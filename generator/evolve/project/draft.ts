import type { RuleFact } from "../../link/facts.js";
import type * as runtime from "@mcp-codegen/runtime/facade/codegen";

/** A shape under construction. It refers to other drafts by id, even to drafts that turn out to be empty. */
export interface Draft {
  readonly id: string;
  /** The place in the newer revision. The shape is named after it. */
  readonly place: string;
  readonly fact: RuleFact | undefined;
  isIndivisible: boolean;
  needsRule: boolean;
  drop: string[];
  strip: string[];
  refuse: string[];
  members: Record<string, string>;
  requires: string[];
  each: string | undefined;
  items: string | undefined;
  kinds: Record<string, string | null>;
  lacks: string[];
  tag: string | undefined;
  arms: Record<string, string | null>;
  untagged: string | null | undefined;
}

export function newDraft(id: string, place: string, fact: RuleFact | undefined): Draft {
  return {
    id,
    place,
    fact,
    isIndivisible: false,
    needsRule: false,
    drop: [],
    strip: [],
    refuse: [],
    members: {},
    requires: [],
    each: undefined,
    items: undefined,
    kinds: {},
    lacks: [],
    tag: undefined,
    arms: {},
    untagged: undefined,
  };
}

export function referencesOf({ members, each, items, kinds, arms, untagged }: Draft): string[] {
  const all = [
    ...Object.values(members),
    ...Object.values(kinds),
    ...Object.values(arms),
    each,
    items,
    untagged,
  ];
  return all.filter((id) => typeof id === "string");
}

/** Returns true if a draft itself states a difference, regardless of the drafts to which it refers. */
export function isNotEmpty(draft: Draft): boolean {
  const { drop, strip, refuse, kinds, lacks, arms, needsRule } = draft;
  return (
    needsRule ||
    [drop, strip, refuse, lacks].some((list) => list.length > 0) ||
    [...Object.values(kinds), ...Object.values(arms)].includes(null)
  );
}

export type MethodShapes = runtime.MethodShapes;

export type ShapeDifference = runtime.ShapeDifference<string>;

export interface RevisionStep {
  readonly newer: string;
  readonly older: string;
  readonly step: runtime.Step<string>;
}
