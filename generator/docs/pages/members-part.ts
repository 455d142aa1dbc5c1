import type { JsonValue } from "../../link/protocol.js";
import { limitsText, type MemberRow, pathText, tagText } from "../collect/members.js";
import type { Revision } from "../collect/reference.js";
import { memberTokens } from "../collect/signature.js";
import {
  code,
  line,
  link,
  listing,
  part,
  type Part,
  type SearchEntry,
  type View,
} from "../page.js";
import { plainText } from "../markup/prose.js";
import { firstSentence, fragment, idOf, type Site } from "./site.js";

export function membersPart(place: Place, site: Site): Part {
  const rows = site.members(place.revision, place.type);
  return part("members", { rows: rows.map((row) => memberView(row, place, site)) });
}

interface Place {
  readonly type: string;
  /** Returns the type's name in another revision. It may differ, because some parameters received a name only later. */
  readonly typeAt: (revision: Revision) => string | undefined;
  readonly revision: Revision;
  /** The first parts of the members' ids. */
  readonly scope: readonly string[];
  /** The revision since which the page's type or method has existed without interruption. */
  readonly own: Revision;
}

function memberView(row: MemberRow, { typeAt, revision, scope, own }: Place, site: Site): View {
  const path = pathText(row.path);
  const first = site.sinceMember(revision, typeAt, row);
  const deprecated = tagText(row.doc, "deprecated");
  const limits = row.types.map(({ constraints }) => limitsText(constraints)).filter(Boolean);
  const base = row.inheritedFrom;
  return {
    id: idOf(...scope, path),
    fragment: fragment(...scope, path),
    depth: String(Math.min(row.path.length, 5)),
    name: path,
    code: code(path),
    type: code(...memberTokens(row.types, (name) => site.namesOf(revision).get(name))),
    isRequired: !row.optional,
    hasSince: isLater(first, own, site),
    since: first.id,
    hasLimits: limits.length > 0,
    limits: limits.join(", "),
    isDeprecated: deprecated !== undefined,
    deprecated: site.markdown(deprecated ?? "", revision),
    isInherited: base !== undefined,
    base: line("from ", link(site.namesOf(revision).get(base ?? "") ?? "", code(base ?? ""))),
    doc: site.prose(row.doc, revision),
    hasText: row.doc !== undefined && row.doc.text !== "",
    text: plainText(row.doc?.text ?? ""),
  };
}

function isLater(one: Revision, other: Revision, { reference }: Site): boolean {
  return reference.revisions.indexOf(one) > reference.revisions.indexOf(other);
}

/** Returns search entries for the members that a type itself states, each as in the newest revision that has it. */
export function memberEntries(type: string, page: string, site: Site): readonly SearchEntry[] {
  const found = new Map<string, SearchEntry>();
  for (const revision of site.type(type)!.revisions.toReversed()) {
    for (const row of site.members(revision, type)) {
      const path = pathText(row.path);
      if (row.inheritedFrom !== undefined || found.has(path)) continue;
      found.set(path, {
        name: `${type}.${path}`,
        kind: "member",
        to: `${page}#${fragment(revision.id, path)}`,
        text: plainText(row.doc?.text ?? ""),
      });
    }
  }
  return [...found.values()];
}

export function summaryOf(type: string, revision: Revision): string {
  return firstSentence(revision.shapes.declaration(type)?.doc?.text ?? "");
}

export function exampleViews(types: readonly string[], { examples }: Revision): readonly View[] {
  return types.flatMap((type) =>
    (examples.get(type) ?? []).map(({ title, text }) => ({
      title: line(code(type), `: ${title.replaceAll("-", " ")}`),
      listing: listing([{ text }], "json"),
    })),
  );
}

export function madeExample(value: JsonValue): View {
  const title = "Generated from the type, with the required members only.";
  return { title, listing: listing([{ text: JSON.stringify(value, null, 2) }], "json") };
}
