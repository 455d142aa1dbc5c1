import { conditionText } from "../../diff/type-text.js";
import { METHOD_HEADER, NAME_HEADER, PARAM_HEADERS, VERSION_HEADER } from "../../link/headers.js";
import type { HeaderFact } from "../../link/facts.js";
import type { Method } from "../../link/protocol.js";
import { tagText } from "../collect/members.js";
import type { Loss } from "../collect/losses.js";
import type { Entry, Revision } from "../collect/reference.js";
import { messageOf } from "../collect/sample.js";
import {
  code,
  type Inline,
  line,
  type Line,
  link,
  listed,
  type Page,
  part,
  type SearchEntry,
  type View,
  withCode,
} from "../page.js";
import { plainText } from "../markup/prose.js";
import { errorsOf } from "./errors-part.js";
import { exampleViews, madeExample, membersPart, summaryOf } from "./members-part.js";
import { naming, type Requirement, requirementView } from "./requirements.js";
import { historyPart, revisionViews, statusText, variantParts } from "./revisions-part.js";
import {
  CAPABILITIES,
  fragment,
  HEADERS,
  METHODS,
  resultTypes,
  senderText,
  type Site,
} from "./site.js";

export function methodPage(entry: Entry, requirements: readonly Requirement[], site: Site): Page {
  const { name, page } = entry;
  const losses = site.reference.losses.get(name) ?? [];
  const own = naming(name, requirements);
  const last = entry.revisions.at(-1)!;
  const method = last.methods.get(name)!;
  const text = last.shapes.declaration(method.type)?.doc?.text ?? "";
  const errors = new Map(
    entry.revisions.map((one) => [one, errorsOf(one.methods.get(name)!, one, own, site)]),
  );
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
        ["errors", "Errors", errors.get(last)!.length > 0],
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
        text: `${plainText(text)}${statusText(entry, site)} A ${method.kind}, who may send: ${senderText(method)}. ${method.type} ${method.capability ?? ""}`,
      },
      ...lossEntries(name, page, losses),
    ],
    view: {
      name,
      revisions: revisionViews(entry, site, (revision) => {
        return variant(entry, revision, errors.get(revision)!, site);
      }),
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

const LOSSES: Readonly<Record<Exclude<Loss["kind"], "rule">, string>> = {
  dropped: "is left out: the older revision does not have it.",
  stripped: "is left out; the rest means the same without it.",
  refused: "is refused with an error: without it, the message would mean something else.",
  narrowed: "is left out, or the message refused, if the older revision does not have the value.",
};

function lossText({ kind, reason }: Loss): string {
  return kind === "rule" ? `is translated. ${reason}` : LOSSES[kind];
}

/**
 * Returns search entries for the changes that translation makes, because readers search for what an older client or
 * server receives.
 */
function lossEntries(name: string, page: string, losses: readonly Loss[]): readonly SearchEntry[] {
  if (losses.length === 0) return [];
  const texts = losses.map((loss) => `${loss.older}: ${loss.place} ${lossText(loss)}`);
  const lead = "What clients and servers of older revisions receive.";
  return [
    {
      name: `${name}: for older revisions`,
      kind: "translation",
      to: `${page}#older`,
      text: `${lead} ${texts.join(" ")}`,
    },
  ];
}

function lossViews(losses: readonly Loss[]): readonly View[] {
  const steps = new Map<string, Loss[]>();
  for (const loss of losses) {
    const key = `In ${loss.older}, from ${loss.newer}`;
    steps.set(key, [...(steps.get(key) ?? []), loss]);
  }
  return [...steps].map(([title, own]) => ({
    title,
    items: own.map((loss) => ({
      place: code(loss.place),
      text: line(...withCode(lossText(loss))),
    })),
  }));
}

function variant(entry: Entry, revision: Revision, errors: readonly View[], site: Site): View {
  const { name } = entry;
  const method = revision.methods.get(name)!;
  const { doc } = revision.shapes.declaration(method.type) ?? {};
  const deprecated = tagText(doc, "deprecated");
  return {
    kind: method.kind,
    doc: site.prose(doc, revision),
    isDeprecated: method.deprecated,
    deprecated: site.markdown(deprecated ?? "", revision),
    facts: factsOf(method, revision, site),
    hasParams: method.params !== undefined,
    params: paramsView(entry, method, revision, site),
    results: resultsView(entry, method, revision, site),
    hasResults: method.result !== undefined,
    hasErrors: errors.length > 0,
    errors,
    examples: examplesView(method, revision),
  };
}

function paramsView(entry: Entry, { params }: Method, revision: Revision, site: Site): View {
  if (params === undefined) return [];
  const types = alternativesOf(params.type, revision);
  const remark = params.optional ? "optional" : "";
  return types.map((type) => {
    const isOnly = type === params.type;
    const typeAt = (other: Revision) =>
      other.shapes.declaration(type) ? type : other.methods.get(entry.name)?.params?.type;
    const place = { revision, typeAt, scope: [revision.id, isOnly ? "params" : type] };
    return bodyView(type, isOnly ? remark : "one", place, entry, site);
  });
}

function resultsView(entry: Entry, method: Method, revision: Revision, site: Site): View {
  return resultTypes(method).map((type, index) => {
    if (index === 0) {
      const typeAt = (other: Revision) => other.methods.get(entry.name)?.result?.type;
      return bodyView(type, "", { revision, typeAt, scope: [revision.id, "result"] }, entry, site);
    }
    const when = method.result?.alternatives[index - 1]?.when ?? "";
    return bodyView(type, when, { revision, scope: [revision.id, type] }, entry, site);
  });
}

/** Returns the types in a union of declarations. For any other type, returns only the type itself. */
function alternativesOf(type: string, { shapes }: Revision): readonly string[] {
  const declaration = shapes.declaration(type);
  if (declaration?.kind !== "alias" || declaration.type.kind !== "union") return [type];
  const { members } = declaration.type;
  const names = members.flatMap((one) => (one.kind === "reference" ? [one.name] : []));
  return names.length === members.length ? names : [type];
}

function examplesView(method: Method, revision: Revision): readonly View[] {
  const types = [method.type, method.params?.type ?? [], ...resultTypes(method)].flat();
  const given = exampleViews(types, revision);
  if (given.length > 0) return given;
  return [madeExample(messageOf(method, revision))];
}

interface BodyPlace {
  readonly revision: Revision;
  readonly scope: readonly string[];
  /** Returns the type's name in another revision. Default: the same name. */
  readonly typeAt?: (revision: Revision) => string | undefined;
}

function bodyView(
  type: string,
  remark: string,
  { revision, scope, typeAt = () => type }: BodyPlace,
  entry: Entry,
  site: Site,
): View {
  const hasMembers = site.members(revision, type).length > 0;
  const own = site.since(revision, entry);
  return {
    type: site.named(type),
    remark: REMARKS[remark] ?? "",
    hasMembers,
    hasNone: !hasMembers,
    members: membersPart({ type, typeAt, revision, scope, own }, site),
  };
}

const REMARKS: Readonly<Record<string, string>> = {
  optional: "may be left out",
  one: "one of several",
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
  const { kind, capability, conditions, paginated, cacheable } = method;
  const results = resultTypes(method).map((type) => site.named(type));
  const facts: (Fact | false)[] = [
    fact("Sent by", `${senderText(method)}, as a ${kind}`),
    fact("Type", site.named(method.type)),
    results.length > 0 && { name: "Result", value: listed(results) },
    capability !== undefined && fact("Capability", capabilityLink(capability, revision, site)),
    ...conditions.map((condition) => fact("Condition", conditionText(condition))),
    paginated && fact("Paginated", "the result may have further pages"),
    cacheable && fact("Caching", "the result states for how long it may be cached"),
    headersFact(method, revision, site),
  ];
  return facts.filter((one) => one !== false);
}

function fact(name: string, value: Inline | Line): Fact {
  if (typeof value === "object" && value.node === "line") return { name, value };
  return { name, value: line(value) };
}

/**
 * Returns the header fields of the request that carries a message. Those that depend on the message are shown
 * with their values.
 */
function headersFact(method: Method, { id, facts }: Revision, site: Site): Fact | false {
  const { nameHeader, paramHeaders, role } = method;
  if (method.from === "server" || method.channel === "embedded") return false;
  const values: Readonly<Record<string, readonly Inline[] | undefined>> = {
    [VERSION_HEADER]: role === "initialize" ? undefined : [": ", code(id)],
    [METHOD_HEADER]: [": ", code(method.method)],
    [NAME_HEADER]:
      nameHeader === undefined ? undefined : [": ", code(nameHeader), " of the parameters"],
    [PARAM_HEADERS]:
      paramHeaders === undefined
        ? undefined
        : [": arguments that the schemas of ", site.named(paramHeaders), " mark"],
  };
  const isSent = ({ from, request }: HeaderFact): boolean =>
    request === undefined && (from === "client" || (from === "both" && role !== "initialize"));
  const stated = (facts.headers ?? []).filter(isSent);
  const names = new Set([
    ...stated.map(({ header }) => header),
    ...(nameHeader === undefined ? [] : [NAME_HEADER]),
    ...(paramHeaders === undefined ? [] : [PARAM_HEADERS]),
  ]);
  const shown = [...names].flatMap((name): Inline[][] => {
    const isListed = stated.some(({ header }) => header === name);
    const own = isListed ? link(`${HEADERS}#${fragment(name)}`, code(name)) : code(name);
    if (!Object.hasOwn(values, name)) return [[own]];
    return values[name] === undefined ? [] : [[own, ...values[name]]];
  });
  const value = shown.flatMap((one, index) => (index === 0 ? one : ["; ", ...one]));
  return shown.length > 0 && { name: "HTTP headers", value: line(...value) };
}

function capabilityLink(capability: string, revision: Revision, site: Site): Inline {
  const [row] = site.capabilityRows(capability, revision);
  const shown = code(capability);
  return row === undefined ? shown : link(`${CAPABILITIES}#${fragment(row)}`, shown);
}
