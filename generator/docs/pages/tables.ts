import type { Method } from "../../link/protocol.js";
import { pathText } from "../collect/members.js";
import type { Entry, Revision } from "../collect/reference.js";
import {
  code,
  type Inline,
  line,
  type Line,
  link,
  type Page,
  type View,
  withCode,
} from "../page.js";
import { plainText } from "../markup/prose.js";
import { summaryOf } from "./members-part.js";
import { stateAt, statusText } from "./revisions-part.js";
import {
  CAPABILITIES,
  ERRORS,
  fragment,
  idOf,
  joined,
  META,
  METHODS,
  senderText,
  type Site,
  TYPES,
} from "./site.js";

export interface Row {
  readonly id: string;
  readonly name: Inline | Line;
  /** The text below the name. There are several if revisions differ. */
  readonly text: Line | readonly Line[];
  readonly cells: readonly View[];
  readonly entry?: { readonly name: string; readonly kind: string; readonly text: string };
}

interface Table {
  readonly page: string;
  readonly title: string;
  readonly intro: string;
  /** The part of the site to which the page belongs, if that part has a different start page. */
  readonly area?: string;
  /** The cells' headings, in order. Default: the revisions, newest first. */
  readonly columns?: readonly string[];
  readonly groups: readonly { readonly title: string; readonly rows: readonly Row[] }[];
}

export function tablePage(table: Table, site: Site): Page {
  const { page, title, intro, area = page, columns, groups } = table;
  const heads = columns ?? site.newestFirst.map(({ id }) => id);
  const shown = groups.filter(({ rows }) => rows.length > 0);
  const hasHeadings = shown.length > 1;
  return {
    path: page.replace(/\.html$/, ""),
    title,
    summary: intro,
    area,
    template: "table",
    outline: hasHeadings
      ? shown.map((group) => ({ id: idOfGroup(group.title), text: group.title }))
      : [],
    entries: [
      { name: title, kind: "page", to: page, text: intro },
      ...groups.flatMap(({ rows }) =>
        rows.flatMap(({ id, entry }) =>
          entry ? [{ ...entry, to: `${page}#${fragment(id)}` }] : [],
        ),
      ),
    ],
    view: {
      title,
      intro,
      columns: heads,
      groups: shown.map((group) => ({
        id: idOfGroup(group.title),
        title: group.title,
        hasHeading: hasHeadings,
        rows: group.rows.map(({ id, name, text, cells }) => {
          const own = columns ? cells : cells.toReversed();
          const labelled = own.map((cell, index) => ({ ...(cell as object), head: heads[index]! }));
          return { id, name, texts: [text].flat(), cells: labelled };
        }),
      })),
      isEmpty: shown.length === 0,
    },
  };
}

function idOfGroup(name: string): string {
  return idOf("group", name.toLowerCase());
}

const MARKS = {
  first: "yes",
  new: "new",
  changed: "changed",
  same: "yes",
  removed: "removed",
  gone: "–",
} as const;

function stateCells(entry: Entry, site: Site): readonly View[] {
  return site.reference.revisions.map((revision) => {
    const state = stateAt(entry, revision, site);
    return { tone: state, text: MARKS[state] };
  });
}

function entryRow(entry: Entry, type: string, site: Site): Row {
  const last = entry.revisions.at(-1)!;
  return {
    id: entry.name,
    name: site.named(entry.name),
    text: line(summaryOf(type, last), last === site.newest ? statusText(entry, site) : ""),
    cells: stateCells(entry, site),
  };
}

export function methodsPage(site: Site): Page {
  const groups = new Map<string, Row[]>();
  for (const { entry, method } of bySender(site)) {
    const kind = method.kind === "request" ? "Requests" : "Notifications";
    const isThere = entry.revisions.includes(site.newest);
    const title = isThere ? `${kind} from ${senderText(method)}` : REMOVED;
    groups.set(title, [...(groups.get(title) ?? []), entryRow(entry, method.type, site)]);
  }
  return tablePage(
    {
      page: METHODS,
      title: "Methods",
      intro: "All methods, who sends them, and the revisions that have them.",
      groups: [...groups].map(([title, rows]) => ({ title, rows })),
    },
    site,
  );
}

const REMOVED = "Removed";

/**
 * Returns the methods, each as it is in the newest revision that has it. They are sorted by presence in the newest
 * revision, then by kind (requests first) and by sender (clients first).
 */
function bySender({ reference, newest }: Site): readonly { entry: Entry; method: Method }[] {
  return reference.methods
    .map((entry) => ({ entry, method: entry.revisions.at(-1)!.methods.get(entry.name)! }))
    .toSorted((one, other) => rank(one, newest) - rank(other, newest));
}

function rank({ entry, method }: { entry: Entry; method: Method }, newest: Revision): number {
  const { kind, from, channel } = method;
  const place = SENDERS.indexOf(from) + (channel === "embedded" ? 5 : 0);
  return place + (kind === "request" ? 0 : 10) + (entry.revisions.includes(newest) ? 0 : 20);
}

const SENDERS = ["client", "server", "both"];

export function typesPage(site: Site): Page {
  const groups = new Map<string, Row[]>();
  for (const entry of site.reference.types) {
    const last = entry.revisions.at(-1)!;
    const title = last === site.newest ? (site.groupOf(entry.name, last) ?? "Other") : REMOVED;
    const row = entryRow(entry, entry.name, site);
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  return tablePage(
    {
      page: TYPES,
      title: "Types",
      intro: "All types and constants of the schemas, and the revisions that have them.",
      groups: [...groups].map(([title, rows]) => ({ title, rows })),
    },
    site,
  );
}

/** Returns a row for each id, with a cell for each revision. */
export function valueRows<T>(
  site: Site,
  itemsOf: (revision: Revision) => ReadonlyMap<string, T>,
  rowOf: (id: string, newest: T, revision: Revision) => Omit<Row, "id" | "cells">,
  textOf: (item: T, revision: Revision) => string = () => "yes",
): readonly Row[] {
  const { revisions } = site.reference;
  const all = revisions.map((revision) => ({ revision, items: itemsOf(revision) }));
  const ids = new Set(all.toReversed().flatMap(({ items }) => [...items.keys()]));
  return [...ids].map((id) => {
    const last = all.findLast(({ items }) => items.has(id))!;
    const texts = all.map(({ items, revision }) =>
      items.has(id) ? textOf(items.get(id)!, revision) : undefined,
    );
    const cells = texts.map((text, index): View => {
      const before = index === 0 ? text : texts[index - 1];
      const missing = before === undefined ? "gone" : "removed";
      if (text === undefined) return { tone: missing, text: MARKS[missing] };
      if (before === text) return { tone: "same", text };
      return {
        tone: before === undefined ? "new" : "changed",
        text: text === "yes" ? "new" : text,
      };
    });
    return { id: idOf(id), ...rowOf(id, last.items.get(id)!, last.revision), cells };
  });
}

/**
 * Returns the text for each revision that has one, newest first. Neighbouring revisions with the same text share an
 * entry.
 */
export function textsByRevision(
  site: Site,
  textAt: (revision: Revision) => readonly Inline[] | undefined,
): readonly Line[] {
  const spans: {
    readonly text: readonly Inline[];
    readonly shown: string;
    first: string;
    readonly last: string;
  }[] = [];
  for (const revision of site.newestFirst) {
    const text = textAt(revision);
    if (text === undefined) continue;
    const shown = JSON.stringify(text, (name, value: unknown) =>
      name === "to" ? undefined : value,
    );
    const before = spans.at(-1);
    if (before?.shown === shown) before.first = revision.id;
    else spans.push({ text, shown, first: revision.id, last: revision.id });
  }
  return spans.map(({ text, first, last }) => {
    const span = first === last ? first : `${first} to ${last}`;
    return line(...(spans.length > 1 ? [`${span}: `] : []), ...text);
  });
}

export function errorsPage(site: Site): Page {
  const all = site.reference.revisions.flatMap(({ protocol }) => protocol.errorCodes);
  const codes = new Map(all.map((error) => [error.name, error.code]));
  const rows = valueRows(
    site,
    ({ protocol }) => new Map(protocol.errorCodes.map((error) => [error.name, error])),
    (name, { code: number, type }, revision) => {
      const fact = revision.facts.errorCodes?.find((one) => one.name === name);
      const doc = revision.shapes.declaration(type ?? name)?.doc?.text ?? fact?.reason ?? "";
      return {
        name: line(code(String(number)), " ", site.named(name)),
        text: line(
          ...(type === undefined ? [] : [site.named(type), " "]),
          ...(fact
            ? [...withCode(fact.reason), " ", link(fact.source, "Source")]
            : [summaryOf(type ?? name, revision)]),
        ),
        entry: { name: `${number} ${name}`, kind: "error", text: plainText(doc) },
      };
    },
    ({ name, code: number }) => (number === codes.get(name) ? "yes" : String(number)),
  );
  return tablePage(
    {
      page: ERRORS,
      title: "Error codes",
      intro: "Error codes, by revision.",
      groups: [{ title: "Codes", rows: rows.toSorted(byCode) }],
    },
    site,
  );
}

function byCode(one: Row, other: Row): number {
  const [left, right] = [one, other].map(({ entry }) => Number.parseInt(entry?.name ?? "", 10));
  return left! - right!;
}

export function capabilitiesPage(site: Site): Page {
  const groupOf = (side: "client" | "server") => ({
    title: side === "client" ? "Client capabilities" : "Server capabilities",
    rows: valueRows(
      site,
      (revision) => site.capabilities(side, revision),
      (name, row) => {
        const text = textsByRevision(site, (revision) => {
          const own = site.capabilities(side, revision).get(name);
          if (own === undefined) return undefined;
          const gated = gatedBy(name, revision, site);
          const methods = gated.length > 0 ? [" Required by ", ...joined(gated), "."] : [];
          return [plainText(own.doc?.text ?? ""), ...methods];
        });
        const entry = { name, kind: "capability", text: plainText(row.doc?.text ?? "") };
        return { name: code(name), text, entry };
      },
    ),
  });
  return tablePage(
    {
      page: CAPABILITIES,
      title: "Capabilities",
      intro: "What each side can declare, and the methods that need it.",
      groups: [groupOf("client"), groupOf("server")],
    },
    site,
  );
}

/** Returns the methods that require a capability, either always or only for some parameters. */
function gatedBy(name: string, revision: Revision, site: Site): readonly Inline[] {
  const gated = [...revision.methods.values()].filter(({ capability, conditions }) => {
    const needed = [capability ?? "", ...conditions.map((one) => one.capability)];
    return needed.some((path) => site.capabilityRows(path, revision).includes(name));
  });
  return gated.map(({ method }) => site.named(method));
}

export function metaPage(site: Site): Page {
  const rows = valueRows(
    site,
    (revision) => metaKeysOf(revision, site),
    (key, { type, row }, revision) => {
      const { text = "" } = row.doc ?? {};
      return {
        name: code(key),
        text: line("In ", site.named(type), ". ", plainText(text)),
        entry: { name: key, kind: "meta key", text: `${type} ${plainText(text)} ${revision.id}` },
      };
    },
  );
  return tablePage(
    {
      page: META,
      title: "_meta keys",
      intro: "Keys that the schemas name; others are free.",
      groups: [{ title: "Keys", rows }],
    },
    site,
  );
}

/**
 * Returns the members of `_meta` objects by key, both for inline objects and for declared types. If a key occurs
 * several times, only its first place is returned.
 */
function metaKeysOf(revision: Revision, site: Site) {
  const found = new Map<string, { type: string; row: ReturnType<Site["members"]>[number] }>();
  for (const { name } of revision.protocol.declarations) {
    for (const row of site.members(revision, name)) {
      const at = row.path.indexOf("_meta");
      const key = pathText(row.path.slice(at + 1));
      if (at >= 0 && key !== "" && key !== "[key]" && !found.has(key)) {
        found.set(key, { type: name, row });
      }
      if (at !== row.path.length - 1) continue;
      for (const { type } of row.types) {
        if (type.kind !== "reference") continue;
        for (const inner of site.members(revision, type.name)) {
          const path = pathText(inner.path);
          if (path !== "[key]" && !found.has(path))
            found.set(path, { type: type.name, row: inner });
        }
      }
    }
  }
  return found;
}
