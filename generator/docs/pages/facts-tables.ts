import { valueText } from "../../diff/type-text.js";
import type { HeaderFact } from "../../link/facts.js";
import { NAME_HEADER, PARAM_HEADERS } from "../../link/headers.js";
import type { Revision } from "../collect/reference.js";
import { meaningOf } from "../collect/value-texts.js";
import { code, type Inline, line, link, listed, type Page, withCode } from "../page.js";
import { plainText } from "../markup/prose.js";
import { addressOf, naming, type Requirement } from "./requirements.js";
import { HEADERS, type Site, TRAITS } from "./site.js";
import { type Row, tablePage, textsByRevision, valueRows } from "./tables.js";

export function headersPage(site: Site, requirements: readonly Requirement[]): Page {
  const rows = valueRows(
    site,
    headersOf,
    (name, _newest, revision): Omit<Row, "id" | "cells"> => {
      const own = naming(name, requirements).map((one) => link(addressOf(one), one.id));
      return {
        name: code(name),
        text: [
          ...textsByRevision(site, (one) => {
            const fact = headersOf(one).get(name);
            return fact && [...withCode(fact.reason), " ", link(fact.source, "Source")];
          }),
          line(
            ...repeatedText(name, revision, site),
            ...(own.length === 0 ? [] : ["Requirements: ", ...listed(own).parts, "."]),
          ),
        ],
        entry: {
          name,
          kind: "header",
          text: [
            "HTTP header",
            ...repeated(name, revision).map(
              ({ method, member }) => `repeats ${member} of ${method}`,
            ),
            plainText([...reasonsOf(name, site)].join(" ")),
          ].join(" "),
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

function reasonsOf(name: string, site: Site): ReadonlySet<string> {
  return new Set(site.newestFirst.map((revision) => headersOf(revision).get(name)?.reason ?? ""));
}

/**
 * Returns the requests that repeat a parameter in a header, each with the parameter's name. The name is empty if
 * schemas determine which parameters are repeated.
 */
function repeated(name: string, { methods }: Revision) {
  return [...methods.values()].flatMap(({ method, nameHeader, paramHeaders }) => {
    if (name === NAME_HEADER && nameHeader !== undefined) return [{ method, member: nameHeader }];
    return name === PARAM_HEADERS && paramHeaders !== undefined ? [{ method, member: "" }] : [];
  });
}

function repeatedText(name: string, revision: Revision, site: Site): readonly Inline[] {
  const own = repeated(name, revision).map(({ method, member }): readonly Inline[] =>
    member === "" ? [site.named(method)] : [code(member), " of ", site.named(method)],
  );
  if (own.length === 0) return [];
  const parts = own.flatMap((one, index) => (index === 0 ? one : [", ", ...one]));
  return [name === NAME_HEADER ? "Repeats " : "On ", ...parts, ". "];
}

export function traitsPage(site: Site): Page {
  const rowsOf = (part: "traits" | "conventions"): readonly Row[] =>
    valueRows(
      site,
      ({ protocol }) => new Map<string, unknown>(Object.entries(protocol[part])),
      (name) => {
        const meanings = site.newestFirst.map((revision) => meaningOf(name, revision)?.text ?? "");
        return {
          name: code(name),
          text: textsByRevision(site, (revision) => {
            const { text, source } = meaningOf(name, revision) ?? {};
            const more = source === undefined ? [] : [" ", link(source, "Source")];
            return text === undefined ? undefined : [...withCode(text), ...more];
          }),
          entry: {
            name,
            kind: part === "traits" ? "trait" : "convention",
            text: [...new Set(meanings)].join(" "),
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
