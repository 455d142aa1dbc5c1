import { conditionText } from "../../diff/type-text.js";
import { NAME_HEADER, PARAM_HEADERS } from "../../link/headers.js";
import type { Method } from "../../link/protocol.js";
import { tagText } from "../collect/members.js";
import type { Loss } from "../collect/losses.js";
import type { Entry, Revision } from "../collect/reference.js";
import { sampleMessage } from "../collect/sample.js";
import {
  code,
  type Inline,
  line,
  type Line,
  link,
  listed,
  listing,
  type Page,
  part,
  type SearchEntry,
  type View,
} from "../page.js";
import { plainText } from "../markup/prose.js";
import { exampleViews, membersPart, summaryOf } from "./members-part.js";
import { naming, type Requirement, requirementView } from "./requirements.js";
import { historyPart, revisionViews, variantParts } from "./revisions-part.js";
import {
  CAPABILITIES,
  fragment,
  HEADERS,
  METHODS,
  resultTypes,
  senderText,
  type Site,
} from "./site.js";

/** Page of a method, for all revisions that have it. */
export function methodPage(entry: Entry, requirements: readonly Requirement[], site: Site): Page {
  const { name, page } = entry;
  const losses = site.reference.losses.get(name) ?? [];
  const own = naming(name, requirements);
  const last = entry.revisions.at(-1)!;
  const method = last.methods.get(name)!;
  const text = last.shapes.declaration(method.type)?.doc?.text ?? "";
  return {
    path: page.replace(/\.html$/, ""),
    title: name,
    summary: summaryOf(method.type, last),
    area: METHODS,
    template: "method",
    outline: [
      ...variantParts(last, [
        ["params", "Parameters", method.params !== undefined],
        ["result", "Result", method.result !== undefined],
        ["example", "Example", true],
      ]),
      ...(losses.length > 0 ? [{ id: "older", text: "For older revisions" }] : []),
      ...(own.length > 0 ? [{ id: "requirements", text: "Requirements" }] : []),
      { id: "history", text: "History" },
    ],
    entries: [
      {
        name,
        kind: "method",
        to: page,
        text: `${method.kind}, who may send: ${senderText(method)}. ${method.capability ?? ""} ${method.type} ${plainText(text)}`,
      },
      ...lossEntries(name, page, losses),
    ],
    view: {
      name,
      revisions: revisionViews(entry, site, (revision) => variant(entry, revision, site)),
      history: historyPart(entry, site),
      hasLosses: losses.length > 0,
      losses: lossViews(losses),
      hasRequirements: own.length > 0,
      requirements: part("requirements-list", {
        requirements: own.map((one) => requirementView(one, site)),
      }),
    },
  };
}

const LOSSES: Readonly<Record<Loss["kind"], string>> = {
  dropped: "is left out",
  stripped: "is left out, which loses nothing",
  refused: "is refused with an error",
  rule: "is translated by a rule",
  narrowed: "is left out, or refused, if its value is new",
};

/** The differences, for questions about what an older client or server receives. */
function lossEntries(name: string, page: string, losses: readonly Loss[]): readonly SearchEntry[] {
  if (losses.length === 0) return [];
  const texts = losses.map(({ older, place, kind }) => `${older}: ${place} ${LOSSES[kind]}`);
  const lead = "How a client or server of an older revision sees it, what it receives.";
  return [
    {
      name: `${name}: for older revisions`,
      kind: "translation",
      to: `${page}#older`,
      text: `${lead} ${texts.join("; ")}`,
    },
  ];
}

/** Differences for each revision, the newest first. */
function lossViews(losses: readonly Loss[]): readonly View[] {
  const steps = new Map<string, Loss[]>();
  for (const loss of losses) {
    const key = `At ${loss.older}, from ${loss.newer}`;
    steps.set(key, [...(steps.get(key) ?? []), loss]);
  }
  return [...steps].map(([title, own]) => ({
    title,
    items: own.map(({ place, kind }) => ({ place: code(place), text: LOSSES[kind] })),
  }));
}

function variant(entry: Entry, revision: Revision, site: Site): View {
  const { name } = entry;
  const method = revision.methods.get(name)!;
  const { doc } = revision.shapes.declaration(method.type) ?? {};
  const deprecated = tagText(doc, "deprecated");
  const { params } = method;
  const own = site.since(revision, entry);
  const place = (member: string) => ({ revision, own, scope: [revision.id, member] });
  return {
    kind: method.kind,
    doc: site.prose(doc, revision),
    isDeprecated: method.deprecated,
    deprecated: site.markdown(deprecated ?? "", revision),
    facts: factsOf(method, revision, site),
    hasParams: params !== undefined,
    params: params
      ? bodyView(params.type, params.optional ? "optional" : "", place("params"), site)
      : {},
    results: resultTypes(method).map((type, index) =>
      bodyView(
        type,
        index === 0 ? "" : (method.result?.alternatives[index - 1]?.when ?? ""),
        place(index === 0 ? "result" : type),
        site,
      ),
    ),
    hasResults: method.result !== undefined,
    examples: examplesView(method, revision),
  };
}

/** The examples of the schema, or one that is made. */
function examplesView(method: Method, revision: Revision): readonly View[] {
  const types = [method.type, method.params?.type ?? [], ...resultTypes(method)].flat();
  const given = exampleViews(types, revision);
  if (given.length > 0) return given;
  const title = "Made from the type, with the required members only.";
  return [{ title, listing: listing([{ text: sampleMessage(method, revision) }], "json") }];
}

interface BodyPlace {
  readonly revision: Revision;
  /** First revision of the method. */
  readonly own: Revision;
  readonly scope: readonly string[];
}

/** Parameters, or a result. */
function bodyView(
  type: string,
  remark: string,
  { revision, own, scope }: BodyPlace,
  site: Site,
): View {
  const hasMembers = site.members(revision, type).length > 0;
  return {
    type: site.named(type),
    remark: REMARKS[remark] ?? "",
    hasMembers,
    hasNone: !hasMembers,
    members: membersPart(type, revision, scope, own, site),
  };
}

const REMARKS: Readonly<Record<string, string>> = {
  optional: "may be left out",
  task: "instead, if the request becomes a task",
  input_required: "instead, if the server needs input first",
  other: "instead",
};

interface Fact {
  readonly name: string;
  readonly value: Line;
  [name: string]: View;
}

function factsOf(method: Method, revision: Revision, site: Site): readonly Fact[] {
  const { kind, capability, conditions, paginated, cacheable, nameHeader, paramHeaders } = method;
  const results = resultTypes(method).map((type) => site.named(type));
  const facts: (Fact | false)[] = [
    fact("Sent by", `${senderText(method)}, as a ${kind}`),
    fact("Type", site.named(method.type)),
    results.length > 0 && { name: "Result", value: listed(results) },
    capability !== undefined && fact("Capability", capabilityLink(capability, revision, site)),
    ...conditions.map((condition) => fact("Condition", conditionText(condition))),
    paginated && fact("Pages", "the result may have further pages"),
    cacheable && fact("Freshness", "the result states for how long it may be cached"),
    nameHeader !== undefined &&
      fact(
        "HTTP",
        line(headerLink(NAME_HEADER, site), " repeats ", code(nameHeader), " of the parameters"),
      ),
    paramHeaders !== undefined &&
      fact(
        "HTTP",
        line(
          headerLink(PARAM_HEADERS, site),
          " repeats arguments, as the schemas of ",
          site.named(paramHeaders),
          " state",
        ),
      ),
    method.role !== undefined && fact("Role", method.role),
  ];
  return facts.filter((one) => one !== false);
}

function fact(name: string, value: Inline | Line): Fact {
  if (typeof value === "object" && value.node === "line") return { name, value };
  return { name, value: line(value) };
}

function headerLink(name: string, { reference }: Site): Inline {
  const isListed = reference.revisions.some(({ facts }) =>
    facts.headers?.some(({ header }) => header === name),
  );
  return !isListed ? code(name) : link(`${HEADERS}#${fragment(name)}`, code(name));
}

/** A capability, linked to its row. */
function capabilityLink(capability: string, revision: Revision, site: Site): Inline {
  const [row] = site.capabilityRows(capability, revision);
  const shown = code(capability);
  return row === undefined ? shown : link(`${CAPABILITIES}#${fragment(row)}`, shown);
}
