import type { SuccessorFact } from "../../link/facts.js";
import type { Method } from "../../link/protocol.js";
import type { Entry, Reference, Revision } from "./reference.js";

/** The revision in which a name was removed, and the name that replaced it there. */
export interface Removal {
  readonly revision: Revision;
  readonly successor?: string;
  /** The fact that states the replacement. Absent for the types of a method, and for a name that was merely renamed. */
  readonly fact?: SuccessorFact;
}

/** Returns the removal of a method or type; undefined if the newest revision has it. */
export function removalOf(
  { name, revisions }: Entry,
  { revisions: all, steps }: Pick<Reference, "revisions" | "steps">,
): Removal | undefined {
  const last = revisions.at(-1)!;
  const revision = all[all.indexOf(last) + 1];
  if (revision === undefined) return undefined;
  const { renamed } = steps.find(({ from, to }) => from === last && to === revision)!.diff.types;
  const pairs = [...(revision.protocol.successors ?? []), ...renamed, ...partsOf(last, revision)];
  const successor = pairs.find(({ from }) => from === name)?.to;
  const fact = revision.facts.successors?.find(({ from }) => from === name);
  return { revision, ...(successor !== undefined && { successor }), ...(fact && { fact }) };
}

/** Pairs a removed method's types with those of the method that replaced it. */
function partsOf(before: Revision, after: Revision): readonly { from: string; to: string }[] {
  return (after.protocol.successors ?? []).flatMap(({ from, to }) => {
    const [old, now] = [before.methods.get(from), after.methods.get(to)];
    if (!old || !now) return [];
    const next = typesOf(now);
    return typesOf(old).flatMap((type, index) => {
      const other = next[index];
      return type !== undefined && other !== undefined ? [{ from: type, to: other }] : [];
    });
  });
}

function typesOf({ type, params, result }: Method) {
  return [type, params?.type, result?.type];
}
