import type { Check, ObjectCheck } from "./check.js";

type Label = string | number | boolean | undefined;

/** A member whose value determines which alternatives of a union are possible. */
export interface Discriminant {
  readonly member: string;
  /** The cases in source order. The label `undefined` stands for an absent member. */
  readonly cases: readonly Case[];
}

export interface Case {
  readonly labels: readonly Label[];
  readonly arms: readonly Check[];
}

interface Arm {
  readonly check: Check;
  readonly object: ObjectCheck;
}

/**
 * Returns the member that best distinguishes the alternatives. Each alternative must be an object, and must restrict
 * the member to a closed set of literals; open sets (`"a" | string`) do not count.
 */
export function discriminant(
  arms: readonly Check[],
  declarations: ReadonlyMap<string, Check>,
): Discriminant | undefined {
  const flat = flatten(arms, declarations);
  if (flat === undefined) return undefined;
  let best: Discriminant | undefined;
  for (const { name } of flat[0]!.object.members) {
    const cases = casesBy(name, flat, declarations);
    if (cases && cases.length > (best?.cases.length ?? 1)) best = { member: name, cases };
  }
  return best;
}

function flatten(
  arms: readonly Check[],
  declarations: ReadonlyMap<string, Check>,
): Arm[] | undefined {
  const flat: Arm[] = [];
  for (const check of arms) {
    const resolved = resolve(check, declarations);
    const inner =
      resolved.kind === "object"
        ? [{ check, object: resolved }]
        : resolved.kind === "anyOf" && flatten(resolved.arms, declarations);
    if (!inner) return undefined;
    flat.push(...inner);
  }
  return flat;
}

function casesBy(
  member: string,
  arms: readonly Arm[],
  declarations: ReadonlyMap<string, Check>,
): Case[] | undefined {
  const byLabel = new Map<Label, Check[]>();
  for (const { check, object } of arms) {
    const labels = labelsOf(object, member, declarations);
    if (labels === undefined) return undefined;
    for (const label of labels) byLabel.set(label, [...(byLabel.get(label) ?? []), check]);
  }
  const cases = new Map<string, { labels: Label[]; arms: Check[] }>();
  for (const [label, checks] of byLabel) {
    const key = JSON.stringify(checks);
    const known = cases.get(key);
    if (known) known.labels.push(label);
    else cases.set(key, { labels: [label], arms: checks });
  }
  return [...cases.values()];
}

function labelsOf(
  object: ObjectCheck,
  name: string,
  declarations: ReadonlyMap<string, Check>,
): Label[] | undefined {
  const member = object.members.find((candidate) => candidate.name === name);
  const labels = member && literalsOf(member.check, declarations);
  return labels && member.optional ? [undefined, ...labels] : labels;
}

function literalsOf(check: Check, declarations: ReadonlyMap<string, Check>): Label[] | undefined {
  const resolved = resolve(check, declarations);
  if (resolved.kind === "literal") return [resolved.value];
  if (resolved.kind !== "anyOf") return undefined;
  const sets = resolved.arms.map((arm) => literalsOf(arm, declarations));
  return sets.every((set) => set !== undefined) ? sets.flat() : undefined;
}

/**
 * Returns the check that a name stands for. The recursion ends, because the model rejects types that refer only to
 * themselves.
 */
function resolve(check: Check, declarations: ReadonlyMap<string, Check>): Check {
  return check.kind === "call" ? resolve(declarations.get(check.name)!, declarations) : check;
}
