import { valueText } from "../../diff/type-text.js";
import type { HeaderFact } from "../../link/facts.js";
import { NAME_HEADER, PARAM_HEADERS } from "../../link/headers.js";
import type { Method } from "../../link/protocol.js";
import type { Revision } from "../collect/reference.js";
import { code, type Inline, line, link, listed, type Page } from "../page.js";
import { plainText } from "../markup/prose.js";
import { naming, type Requirement } from "./requirements.js";
import { HEADERS, idOf, type Site, TRAITS } from "./site.js";
import { type Row, tablePage, valueRows } from "./tables.js";

/** Header fields of HTTP by revision: who sends each, when, and the requirements that name it. */
export function headersPage(site: Site, requirements: readonly Requirement[]): Page {
  const rows = valueRows(
    site,
    headersOf,
    (name, _newest, revision): Omit<Row, "id" | "cells"> => {
      const meanings = meaningsOf(name, site);
      const own = naming(name, requirements).map(({ id, page }) =>
        link(`${page}#${encodeURIComponent(idOf(id))}`, id),
      );
      return {
        name: code(name),
        text: line(
          ...meanings.flatMap((meaning) => meaningText(meaning, meanings.length > 1)),
          ...methodsText(name, revision, site),
          ...(own.length === 0 ? [] : ["Requirements: ", ...listed(own).parts, "."]),
        ),
        entry: {
          name,
          kind: "header",
          text: `HTTP header ${meanings.map(({ fact }) => plainText(fact.reason)).join(" ")}`,
        },
      };
    },
    ({ from }) => (from === "both" ? "both" : `the ${from}`),
  );
  return tablePage(
    {
      page: HEADERS,
      title: "HTTP headers",
      intro: "Header fields that the specification defines or requires, and who sends them.",
      groups: [{ title: "Headers", rows }],
    },
    site,
  );
}

function headersOf({ facts }: Revision): ReadonlyMap<string, HeaderFact> {
  return new Map((facts.headers ?? []).map((fact) => [fact.header, fact]));
}

/** Meaning of a header in neighbouring revisions. */
interface Meaning {
  readonly fact: HeaderFact;
  readonly revisions: readonly string[];
}

/** Meanings of a header, the newest first. */
function meaningsOf(name: string, { reference }: Site): readonly Meaning[] {
  const found: Meaning[] = [];
  for (const revision of reference.revisions.toReversed()) {
    const fact = headersOf(revision).get(name);
    const last = found.at(-1);
    if (fact === undefined) continue;
    if (last?.fact.reason !== fact.reason) found.push({ fact, revisions: [revision.id] });
    else found[found.length - 1] = { ...last, revisions: [revision.id, ...last.revisions] };
  }
  return found;
}

function meaningText({ fact, revisions }: Meaning, isOneOfSeveral: boolean): readonly Inline[] {
  const [first, last] = [revisions[0]!, revisions.at(-1)!];
  const span = first === last ? first : `${first} to ${last}`;
  return [
    isOneOfSeveral ? `${span}: ` : "",
    ...withCode(fact.reason),
    " ",
    link(fact.source, "Source"),
    ". ",
  ];
}

/** A text with the code in it as such. */
function withCode(text: string): readonly Inline[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part));
}

/** Methods whose parameters a header repeats. */
function methodsText(name: string, { methods }: Revision, site: Site): readonly Inline[] {
  const member = (method: Method): string | undefined => {
    if (name === NAME_HEADER) return method.nameHeader;
    return name === PARAM_HEADERS ? method.paramHeaders : undefined;
  };
  const own = [...methods.values()].filter((one) => member(one) !== undefined);
  if (own.length === 0) return [];
  const shown = own.map((one) => site.named(one.method));
  return ["On ", ...listed(shown).parts, ". "];
}

/** Traits and conventions by revision, with the reasons that the facts state. */
export function traitsPage(site: Site): Page {
  const rowsOf = (part: "traits" | "conventions"): readonly Row[] =>
    valueRows(
      site,
      ({ protocol }) => new Map<string, unknown>(Object.entries(protocol[part])),
      (name, _, revision) => {
        const fact = revision.facts.conventions?.find(({ convention }) => convention === name);
        const source = fact?.source.startsWith("https://") ? fact.source : undefined;
        return {
          name: code(name),
          text: line(
            fact?.reason ?? "",
            ...(source === undefined ? [] : [" ", link(source, "Source")]),
          ),
          entry: {
            name,
            kind: part === "traits" ? "trait" : "convention",
            text: fact?.reason ?? "",
          },
        };
      },
      valueText,
    );
  return tablePage(
    {
      page: TRAITS,
      title: "Traits and conventions",
      intro:
        "How revisions differ beyond their types: traits follow from the schema, conventions from the prose of the specification.",
      groups: [
        { title: "Traits", rows: rowsOf("traits") },
        { title: "Conventions", rows: rowsOf("conventions") },
      ],
    },
    site,
  );
}
