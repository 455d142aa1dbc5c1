import { INDEX } from "./member-changes.js";
import type { Aspect, MemberChange, MethodChange, Pair, ProtocolDiff } from "./protocol-diff.js";
import { nameText } from "./type-text.js";

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly mark: "+" | "-" | "~";
  readonly subjects: readonly string[];
  readonly detail: string;
}

export function diffSections(diff: ProtocolDiff): Section[] {
  const sections: Section[] = [
    { title: "Traits", entries: diff.traits.map((change) => changed(change.name, change)) },
    {
      title: "Conventions",
      entries: diff.conventions.map((change) => changed(change.name, change)),
    },
    { title: "Constants and error codes", entries: diff.constants.map(constantEntry) },
    { title: "Methods", entries: grouped(diff.methods.flatMap(methodEntries)) },
    { title: "Types", entries: typeEntries(diff) },
    { title: "Members", entries: grouped(diff.members.map(memberEntry)) },
    { title: "Deprecated", entries: deprecatedEntries(diff) },
    { title: "Heritage (API only)", entries: grouped(heritageEntries(diff)) },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

function entry(mark: Entry["mark"], subject: string, detail: string): Entry {
  return { mark, subjects: [subject], detail };
}

function changed(subject: string, { from, to }: Pair, lead = ""): Entry {
  return entry("~", subject, `${lead}${from} → ${to}`);
}

export function constantEntry({
  name,
  from,
  to,
  origin,
}: ProtocolDiff["constants"][number]): Entry {
  const note = origin === "prose" ? " (prose only)" : "";
  const [old, now] = [JSON.stringify(from), JSON.stringify(to)];
  if (from === undefined) return entry("+", name, `= ${now}${note}`);
  if (to === undefined) return entry("-", name, `= ${old}${note}`);
  return entry("~", name, `${old} → ${now}${note}`);
}

export function methodEntries({
  method,
  change,
  kind,
  direction,
  result,
  aspects,
}: MethodChange): Entry[] {
  if (change === "changed") return aspects.map((aspect) => aspectEntry(method, aspect));
  const answer = result ? `, answered by ${result}` : "";
  return [entry(change === "added" ? "+" : "-", method, `${kind} from ${direction}${answer}`)];
}

export function aspectEntry(method: string, { aspect, from, to }: Aspect): Entry {
  if (aspect === "params optional") return changed(method, { from, to }, "params: ");
  if (aspect === "params") return changed(method, { from, to }, "params declared: ");
  return changed(method, { from: from || "none", to: to || "none" }, `${aspect}: `);
}

function typeEntries({ types }: ProtocolDiff): Entry[] {
  const list = (mark: Entry["mark"], subjects: readonly string[]): Entry[] =>
    subjects.length > 0 ? [{ mark, subjects, detail: "" }] : [];
  return [
    ...list("+", types.added),
    ...list("-", types.removed),
    ...types.renamed.map(({ from, to }) => entry("~", from, `renamed to ${to}, same on the wire`)),
    ...types.successors.map(({ from, to }) => entry("~", from, `now see ${to}`)),
    ...types.kinds.map((change) => changed(change.name, change)),
  ];
}

function deprecatedEntries({ deprecated }: ProtocolDiff): Entry[] {
  return deprecated.length > 0 ? [{ mark: "~", subjects: deprecated, detail: "" }] : [];
}

function heritageEntries({ heritage }: ProtocolDiff): Entry[] {
  return heritage.map(({ name, from, to }) =>
    changed(name, { from: from.join(", ") || "nothing", to: to.join(", ") || "nothing" }),
  );
}

export function memberEntry(change: MemberChange): Entry {
  const path = change.path.map((step) => (step === INDEX ? step : nameText(step))).join(".");
  const lead = path ? `${path}: ` : "";
  switch (change.change) {
    case "added":
    case "removed": {
      const base = change.inheritedFrom ? ` (from ${change.inheritedFrom})` : "";
      const text = `${path}${change.optional ? "?" : ""}: ${change.text}${base}`;
      return entry(change.change === "added" ? "+" : "-", change.type, text);
    }
    case "required":
      return entry("~", change.type, `${lead}optional → required`);
    case "optional":
      return entry("~", change.type, `${lead}required → optional`);
    case "constraints":
      return entry(
        "~",
        change.type,
        `${lead}${change.from || "no limits"} → ${change.to || "no limits"}`,
      );
    case "type":
    case "index": {
      const same = change.sameWire ? " (same on the wire)" : "";
      return entry("~", change.type, `${lead}${typeDetail(change)}${same}`);
    }
  }
}

function typeDetail(change: Extract<MemberChange, { change: "type" | "index" }>): string {
  const { from, to, flat } = change;
  const written = armsText(change);
  const effective = armsText(flat);
  if (!written) return `${from} → ${to}`;
  const note = effective && effective !== written ? ` (in effect ${effective})` : "";
  return `${from.endsWith("[]") && to.endsWith("[]") ? "elements " : ""}${written}${note}`;
}

function armsText({
  added,
  removed,
}: {
  added: readonly string[];
  removed: readonly string[];
}): string {
  return [...removed.map((arm) => `−${arm}`), ...added.map((arm) => `+${arm}`)].join(" ");
}

function grouped(entries: readonly Entry[]): Entry[] {
  const groups = new Map<string, Entry>();
  for (const { mark, subjects, detail } of entries) {
    const key = `${mark} ${detail}`;
    const known = groups.get(key)?.subjects ?? [];
    groups.set(key, { mark, subjects: [...known, ...subjects], detail });
  }
  return [...groups.values()];
}
