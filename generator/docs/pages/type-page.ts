import { declarationIn } from "../collect/collect.js";
import { tagText } from "../collect/members.js";
import type { Entry, Revision } from "../collect/reference.js";
import { sample } from "../collect/sample.js";
import { signature } from "../collect/signature.js";
import { listed, listing, type Page, type View } from "../page.js";
import { plainText } from "../markup/prose.js";
import {
  exampleViews,
  madeExample,
  membersPart,
  memberEntries,
  summaryOf,
} from "./members-part.js";
import { historyPart, revisionViews, statusText, variantParts } from "./revisions-part.js";
import { type Site, TYPES } from "./site.js";

export function typePage(entry: Entry, site: Site): Page {
  const { name, page } = entry;
  const last = entry.revisions.at(-1)!;
  const declaration = declarationIn(last, name);
  return {
    path: page.replace(/\.html$/, ""),
    title: name,
    summary: summaryOf(name, last),
    area: TYPES,
    template: "type",
    outline: [
      { id: "definition", text: "Definition" },
      ...variantParts(last, [
        ["members", "Members", site.members(last, name).length > 0],
        ["uses", "Used by", (last.uses.get(name) ?? []).length > 0],
      ]),
      { id: "history", text: "History" },
    ],
    entries: [
      {
        name,
        kind: declaration.kind === "const" ? "constant" : "type",
        to: page,
        text: `${plainText(declaration.doc?.text ?? "")}${statusText(entry, site)}`,
      },
      ...memberEntries(name, page, site),
    ],
    view: {
      name,
      revisions: revisionViews(entry, site, (revision) => variant(entry, revision, site)),
      history: historyPart(entry, site),
    },
  };
}

function variant(entry: Entry, revision: Revision, site: Site): View {
  const { name } = entry;
  const declaration = declarationIn(revision, name);
  const { doc, span } = declaration;
  const group = site.groupOf(name, revision);
  const deprecated = tagText(doc, "deprecated");
  const own = site.since(revision, entry);
  const members = membersPart(
    { type: name, typeAt: () => name, revision, scope: [revision.id], own },
    site,
  );
  const uses = revision.uses.get(name) ?? [];
  const examples = examplesOf(name, revision);
  const see = doc?.tags.filter((tag) => tag.name === "see") ?? [];
  return {
    kind: KINDS[declaration.kind],
    hasSection: group !== undefined,
    section: group ?? "",
    place: `${revision.protocol.source.file}, line ${span.line}`,
    doc: site.prose(doc, revision),
    isDeprecated: deprecated !== undefined,
    deprecated: site.markdown(deprecated ?? "", revision),
    signature: listing(signature(declaration, (type) => site.namesOf(revision).get(type))),
    hasMembers: site.members(revision, name).length > 0,
    members,
    hasExamples: examples.length > 0,
    examples,
    hasUses: uses.length > 0,
    uses: listed(uses.map((use) => site.useLink(use))),
    see: see.map(({ text }) => site.markdown(text, revision)),
    hasSee: see.length > 0,
  };
}

/** Returns the schema's examples. For an object without any, returns a small example derived from its type. */
function examplesOf(name: string, revision: Revision): readonly View[] {
  const given = exampleViews([name], revision);
  if (given.length > 0 || !revision.shapes.named(name)) return given;
  const made = sample(name, revision);
  const isEmpty = made === null || typeof made !== "object" || Object.keys(made).length === 0;
  return isEmpty ? [] : [madeExample(made)];
}

const KINDS = { interface: "Object", alias: "Type", const: "Constant" } as const;
