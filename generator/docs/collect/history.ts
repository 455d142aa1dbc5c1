import { INDEX } from "../../diff/member-changes.js";
import {
  aspectEntry,
  constantEntry,
  type Entry,
  memberEntry,
  methodEntries,
} from "../../diff/diff-sections.js";
import type { ProtocolDiff } from "../../diff/protocol-diff.js";
import type { HistoryChange, NameChanges, NameHistory, Step } from "./reference.js";

type Changes = readonly (HistoryChange & { readonly name: string })[];

/** Returns the changes to each method or type, newest first. */
export function histories(
  kind: "method" | "type",
  steps: readonly Step[],
): ReadonlyMap<string, NameHistory> {
  const found = new Map<string, NameChanges[]>();
  for (const step of steps.toReversed()) {
    const changes = kind === "method" ? methodHistory(step.diff) : typeHistory(step.diff);
    for (const [name, own] of byName(changes)) {
      found.set(name, [...(found.get(name) ?? []), { step, changes: own }]);
    }
  }
  return found;
}

function byName(changes: Changes): ReadonlyMap<string, readonly HistoryChange[]> {
  const found = new Map<string, HistoryChange[]>();
  for (const { name, ...own } of changes) {
    found.set(name, [...(found.get(name) ?? []), own]);
  }
  return found;
}

function methodHistory({ methods }: ProtocolDiff): Changes {
  return methods.flatMap((own) => {
    const name = own.method;
    if (own.change === "changed") {
      return own.aspects.map((aspect) => ({
        name,
        ...shown(aspectEntry(name, aspect)),
        key: `methods changed ${aspect.aspect}`,
      }));
    }
    return methodEntries(own).map((entry) => ({
      name,
      ...shown(entry, own.change),
      key: `methods ${own.change}`,
    }));
  });
}

function typeHistory({ types, members, heritage, constants, deprecated }: ProtocolDiff): Changes {
  return [
    ...types.added.map((name) => ({ name, mark: "+", text: "added", key: "types added" }) as const),
    ...types.removed.map(
      (name) => ({ name, mark: "-", text: "removed", key: "types removed" }) as const,
    ),
    ...types.renamed.flatMap(({ from, to }) => [
      change(from, `renamed to ${to}, same on the wire`, `types renamed ${to}`),
      change(to, `renamed from ${from}, same on the wire`, `types renamed from ${from}`),
    ]),
    ...types.successors.flatMap(({ from, to }) => [
      change(from, `replaced by ${to}`, `types successors ${to}`),
      change(to, `replaces ${from}`, `types successors from ${from}`),
    ]),
    ...types.kinds.map(({ name, from, to }) => change(name, `${from} → ${to}`, "types kinds")),
    ...constants.map((one) => ({
      name: one.name,
      ...shown(constantEntry(one)),
      key: `constants ${String(one.from)} ${String(one.to)}`,
    })),
    ...members.map((one) => ({
      name: one.type,
      ...shown(memberEntry(one)),
      key: `members ${one.change} ${one.path.join(".")}`,
    })),
    ...heritage.map(({ name, from, to }) => {
      const [old, now] = [from, to].map((bases) => bases.join(", ") || "nothing");
      return change(name, `extends ${old} → ${now} (API only)`, "heritage");
    }),
    ...deprecated.map((place) => {
      const [name = "", ...path] = place.split(".");
      const text = path.length > 0 ? `${path.join(".")}: deprecated` : "deprecated";
      return change(name, text, `deprecated ${path.join(".")}`);
    }),
  ];
}

function change(name: string, text: string, key: string) {
  return { name, mark: "~", text, key } as const;
}

function shown({ mark, detail }: Entry, lead?: string): Pick<HistoryChange, "mark" | "text"> {
  const text = [lead, detail].filter((part) => part).join(": ");
  return { mark, text: text.replaceAll(INDEX, "[key]") };
}
