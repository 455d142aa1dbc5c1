import { tagText } from "../collect/members.js";
import type { Entry, NameChanges, Revision } from "../collect/reference.js";
import {
  code,
  type Heading,
  type Inline,
  line,
  link,
  part,
  type Part,
  type View,
  withCode,
} from "../page.js";
import { idOf, type Site } from "./site.js";

export function revisionViews(
  entry: Entry,
  site: Site,
  variant: (revision: Revision) => View,
): View {
  const [newest] = entry.revisions.slice(-1);
  return {
    switch: part("switch", {
      states: site.newestFirst.map((revision) => switchState(entry, revision, site)),
      newest: newest!.id,
      remarks: remarksOf(entry, site),
    }),
    variants: entry.revisions.toReversed().map((revision) => ({
      id: revision.id,
      tone: revision === newest ? "at newest" : "at",
      since: site.since(revision, entry).id,
      ...(variant(revision) as object),
    })),
  };
}

export function variantParts(
  { id }: Revision,
  parts: readonly (readonly [part: string, text: string, isThere: boolean])[],
): readonly Heading[] {
  return parts.flatMap(([name, text, isThere]) =>
    isThere ? { id: idOf(`at-${id}`, name), text } : [],
  );
}

const WORDS = {
  first: "first",
  new: "new",
  changed: "changed",
  same: "same",
  removed: "removed",
  gone: "absent",
} as const;

/** Returns remarks on a name's removal, its successor, and the names that it replaces. */
function remarksOf({ name }: Entry, site: Site): readonly View[] {
  const { revision, successor, fact } = site.removal(name) ?? {};
  const comparison = (from: string): readonly Inline[] => {
    const page = site.comparisons.get(from);
    return page === undefined ? [] : [" (", link(page, "compare them"), ")"];
  };
  const extension = site.reference.extensions.find((one) => one.revision.methods.has(name));
  const instead =
    successor !== undefined
      ? ["; use ", site.named(successor), ...comparison(name)]
      : extension
        ? ["; the extension ", link(extension.page, code(extension.id)), " has it"]
        : [];
  const replaced = site.replacedBy(name).map((from) => {
    return line("Replaces ", site.named(from), ...comparison(from), ".");
  });
  const reason = fact ? [" ", ...withCode(fact.reason), " ", link(fact.source, "Source")] : [];
  const removed = revision && line("Removed in ", code(revision.id), ...instead, ".", ...reason);
  return [...(removed ? [removed] : []), ...replaced].map((text) => ({ text }));
}

/**
 * Returns the state of a method or type in a revision, compared with the previous one. `removed` applies to the first
 * revision without it, `gone` to all other revisions without it.
 */
export function stateAt(entry: Entry, revision: Revision, site: Site): keyof typeof WORDS {
  const { revisions } = site.reference;
  const before = revisions[revisions.indexOf(revision) - 1];
  const wasThere = before !== undefined && entry.revisions.includes(before);
  if (!entry.revisions.includes(revision)) return wasThere ? "removed" : "gone";
  if (before === undefined) return "first";
  if (!wasThere) return "new";
  return entry.history.some(({ step }) => step.to === revision) ? "changed" : "same";
}

export function statusText(entry: Entry, { newest }: Site): string {
  const last = entry.revisions.at(-1)!;
  if (last !== newest) return " Removed.";
  const method = last.methods.get(entry.name);
  const { doc } = last.shapes.declaration(method?.type ?? entry.name) ?? {};
  const isDeprecated = method?.deprecated === true || tagText(doc, "deprecated") !== undefined;
  return isDeprecated ? " Deprecated." : "";
}

function switchState(entry: Entry, revision: Revision, site: Site): View {
  const state = stateAt(entry, revision, site);
  const isThere = entry.revisions.includes(revision);
  return {
    id: revision.id,
    isThere,
    isGone: !isThere,
    tone: state,
    state: WORDS[state],
  };
}

const MARKS = { "+": "added", "-": "removed", "~": "changed" } as const;

export function historyPart(entry: Entry, site: Site): Part {
  const { revisions } = entry;
  return part("history", {
    steps: entry.history.map(stepView),
    first: line(
      "In ",
      code(revisions[0]!.id),
      revisions.includes(site.reference.revisions[0]!)
        ? ", the first revision of this reference."
        : " for the first time.",
    ),
  });
}

function stepView({ step, changes }: NameChanges): View {
  return {
    title: link(step.page, `${step.from.id} → ${step.to.id}`),
    to: step.to.id,
    from: step.from.id,
    changes: changes.map(({ mark, text, key }) => ({
      tone: MARKS[mark],
      mark: mark === "-" ? "−" : mark,
      word: MARKS[mark],
      text: code(text),
      key,
    })),
  };
}
