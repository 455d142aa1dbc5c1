import { Diagnostics } from "../../diagnostics.js";
import type { ShapeDifference, RevisionStep } from "../../evolve/project/draft.js";
import { project } from "../../evolve/project/project.js";
import type { Protocol } from "../../link/protocol.js";
import { ANY_KEY, pathText } from "./members.js";

/** A change made to a method's messages when they are translated into an older revision. */
export interface Loss {
  readonly newer: string;
  readonly older: string;
  /** The place in the message, such as `result.structuredContent`. */
  readonly place: string;
  readonly kind: "dropped" | "stripped" | "refused" | "rule" | "narrowed";
  /** The rule's effect and the reason for it; only for `rule`. */
  readonly reason?: string;
}

/**
 * Returns the losses by method, starting with those of the newest revisions. Empty if a difference has no rule, because
 * the revisions then cannot be translated.
 */
export function lossesOf(revisions: readonly Protocol[]): ReadonlyMap<string, readonly Loss[]> {
  const found = new Map<string, Loss[]>();
  for (const step of stepsBetween(revisions)) {
    // The list of rules also contains rules for earlier steps, which do not apply here.
    const { places = [] } = revisions.find(({ revision }) => revision === step.newer)!;
    const reasons = new Map(
      places.flatMap(({ fact }) => ("rule" in fact ? [[fact.rule, fact.reason] as const] : [])),
    );
    for (const [method, shapes] of Object.entries(step.step.methods)) {
      const losses = (["params", "result"] as const).flatMap((part) => {
        const id = shapes[part];
        return id === undefined
          ? []
          : distinct(lossesAt(id, [part], { ...step, reasons }, new Set()));
      });
      if (losses.length > 0) found.set(method, [...(found.get(method) ?? []), ...losses]);
    }
  }
  return found;
}

/** Removes duplicates, because alternatives of a union often differ in the same way. */
function distinct(losses: readonly Loss[]): readonly Loss[] {
  return [...new Map(losses.map((loss) => [`${loss.kind} ${loss.place}`, loss])).values()];
}

function stepsBetween(revisions: readonly Protocol[]): readonly RevisionStep[] {
  const diagnostics = new Diagnostics();
  const steps = project(revisions, diagnostics);
  return diagnostics.hasErrors ? [] : steps.toReversed();
}

function lossesAt(
  id: string,
  path: readonly string[],
  step: RevisionStep & { readonly reasons: ReadonlyMap<string, string> },
  above: ReadonlySet<string>,
): readonly Loss[] {
  const shape: ShapeDifference | undefined = Object.hasOwn(step.step.shapes, id)
    ? step.step.shapes[id]
    : undefined;
  if (shape === undefined || above.has(id)) return [];
  const { newer, older } = step;
  const inside = new Set([...above, id]);
  const at = (kind: Loss["kind"], ...names: readonly string[]): Loss => {
    return { newer, older, place: pathText([...path, ...names]), kind };
  };
  const deeper = (next: string | null, ...names: readonly string[]): readonly Loss[] =>
    next === null ? [at("narrowed", ...names)] : lossesAt(next, [...path, ...names], step, inside);
  const reason = step.reasons.get(shape.rule ?? "");
  const rules = reason === undefined ? [] : [{ ...at("rule"), reason }];
  const { drop = [], strip = [], refuse = [], members = {}, kinds = {}, arms = {} } = shape;
  return [
    ...rules,
    ...drop.map((name) => at("dropped", name)),
    ...strip.map((name) => at("stripped", name)),
    ...refuse.map((name) => at("refused", name)),
    ...Object.entries(members).flatMap(([name, next]) => deeper(next, name)),
    ...Object.values(kinds).flatMap((next) => deeper(next)),
    ...Object.values(arms).flatMap((next) => deeper(next)),
    ...(shape.items === undefined ? [] : deeper(shape.items, "[]")),
    ...(shape.each === undefined ? [] : deeper(shape.each, ANY_KEY)),
  ];
}
