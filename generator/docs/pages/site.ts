import type { Method } from "../../link/protocol.js";
import type { Declaration, Doc } from "../../model/schema-model.js";
import { featureOf } from "../collect/features.js";
import { memberRows, type MemberRow, pathText, tagText } from "../collect/members.js";
import type { Entry, Reference, Revision, Step, Use } from "../collect/reference.js";
import { since } from "../collect/collect.js";
import { type Removal, removalOf } from "../collect/removal.js";
import { code, type Inline, link, nameCode, type Prose, Slugs } from "../page.js";
import { NAME, plainText } from "../markup/prose.js";

/** The paths of the pages with tables, to whose rows other pages link. */
export const METHODS = "methods.html";
export const TYPES = "types.html";
export const ERRORS = "errors.html";
export const CAPABILITIES = "capabilities.html";
export const META = "meta.html";
export const HEADERS = "headers.html";
export const TRAITS = "traits.html";
export const CHANGES = "changes.html";
export const EXTENSIONS = "extensions.html";

export class Site {
  readonly reference: Reference;
  readonly #methods: ReadonlyMap<string, Entry>;
  readonly #types: ReadonlyMap<string, Entry>;
  readonly #names = new Map<Revision, ReadonlyMap<string, string>>();
  readonly #rows = new Map<Revision, Map<string, readonly MemberRow[]>>();
  readonly #removals = new Map<string, Removal>();
  /** The pages that compare a removed method with its replacement, by the name of the removed method. */
  readonly comparisons: ReadonlyMap<string, string>;

  constructor(reference: Reference) {
    this.reference = reference;
    this.#methods = byName(reference.methods);
    this.#types = byName(reference.types);
    for (const entry of [...reference.types, ...reference.methods]) {
      const removal = removalOf(entry, reference);
      if (removal) this.#removals.set(entry.name, removal);
    }
    const slugs = new Slugs();
    this.comparisons = new Map(
      reference.methods.flatMap(({ name }) => {
        const other = this.removal(name)?.successor ?? "";
        return this.method(other) ? [[name, `compare/${slugs.next(`${name}-${other}`)}.html`]] : [];
      }),
    );
    for (const { revision, base, page } of reference.extensions) {
      const own = revision.protocol.declarations.filter(({ imported }) => imported === undefined);
      const names = own.map(({ name }) => [name, `${page}#${fragment("type", name)}`] as const);
      this.#names.set(revision, new Map([...this.namesOf(base), ...names]));
    }
  }

  get newest(): Revision {
    return this.reference.revisions.at(-1)!;
  }

  get newestFirst(): readonly Revision[] {
    return this.reference.revisions.toReversed();
  }

  method(name: string): Entry | undefined {
    return this.#methods.get(name);
  }

  type(name: string): Entry | undefined {
    return this.#types.get(name);
  }

  /** Maps the names of a revision's methods and types to their pages, for links in comments and signatures. */
  namesOf(revision: Revision): ReadonlyMap<string, string> {
    const known = this.#names.get(revision);
    if (known) return known;
    const { methods, types } = this.reference;
    const own = [...methods, ...types].filter(({ revisions }) => revisions.includes(revision));
    const names = new Map(own.map(({ name, page }) => [name, page]));
    this.#names.set(revision, names);
    return names;
  }

  /** Maps all names to their pages, for prose that does not belong to a particular revision. */
  allNames(): ReadonlyMap<string, string> {
    const { methods, types } = this.reference;
    return new Map([...types, ...methods].map(({ name, page }) => [name, page]));
  }

  /** Returns a link to the page of a type or method, or only its name if it has no page. */
  named(name: string): Inline {
    return nameCode(name, (this.type(name) ?? this.method(name))?.page);
  }

  /** Returns a link to the page of a name in a revision or extension, or only the name if it has no page. */
  nameIn(revision: Revision, name: string): Inline {
    return nameCode(name, this.namesOf(revision).get(name));
  }

  /** Returns the place of a change, with its first name as a link: `tools/call params`, `Tool` or `Tool.title`. */
  place(place: string): Inline {
    if (this.type(place) ?? this.method(place)) return this.named(place);
    const row = this.tableRow(place);
    if (row !== undefined) return link(row, code(place));
    const [name = ""] = place.split(/[ .]/);
    const page = (this.type(name) ?? this.method(name))?.page;
    if (page === undefined) return code(place);
    return code({ text: name, to: page }, place.slice(name.length));
  }

  removal(name: string): Removal | undefined {
    return this.#removals.get(name);
  }

  /**
   * Returns the heading under which a type is listed. It comes from the `@category` of the type itself, of the nearest
   * declaration before it in the same section, or of the section's first declaration that has a category. If a category
   * names a method, that method's feature is used instead. Without categories, the heading is the section.
   */
  groupOf(type: string, { protocol, methods }: Revision): string | undefined {
    const { declarations } = protocol;
    const at = declarations.findIndex(({ name }) => name === type);
    const { section } = declarations[at]!;
    const isNamed = (one: Declaration): boolean =>
      one.section === section && tagText(one.doc, "category") !== undefined;
    const named = declarations.slice(0, at + 1).findLast(isNamed) ?? declarations.find(isNamed);
    const category = tagText(named?.doc, "category")?.replaceAll("`", "");
    const method = methods.get(category ?? "");
    const feature = method && featureOf(method);
    if (feature === undefined) return category ?? section;
    return feature.charAt(0).toUpperCase() + feature.slice(1);
  }

  replacedBy(name: string): readonly string[] {
    return [...this.#removals].flatMap(([old, { successor }]) => (successor === name ? [old] : []));
  }

  areNeighbours({ from, to }: Step): boolean {
    const { revisions } = this.reference;
    return revisions.indexOf(to) - revisions.indexOf(from) === 1;
  }

  /** Returns the table row for an error code, trait or convention; undefined for other names. */
  tableRow(name: string): string | undefined {
    const protocols = this.reference.revisions.map(({ protocol }) => protocol);
    if (protocols.some(({ errorCodes }) => errorCodes.some((error) => error.name === name))) {
      return `${ERRORS}#${fragment(name)}`;
    }
    const isTrait = protocols.some(
      ({ traits, conventions }) => Object.hasOwn(traits, name) || Object.hasOwn(conventions, name),
    );
    return isTrait ? `${TRAITS}#${fragment(name)}` : undefined;
  }

  members(revision: Revision, type: string): readonly MemberRow[] {
    const own = this.#rows.get(revision) ?? new Map<string, readonly MemberRow[]>();
    this.#rows.set(revision, own);
    const rows = own.get(type) ?? memberRows(type, revision.shapes);
    own.set(type, rows);
    return rows;
  }

  /** Returns a side's capabilities in a revision, by the names that the capabilities page uses. */
  capabilities(side: "client" | "server", revision: Revision): ReadonlyMap<string, MemberRow> {
    const { clientCapabilities, serverCapabilities } = revision.protocol.envelope;
    const type = side === "client" ? clientCapabilities : serverCapabilities;
    const rows = this.members(revision, type);
    return new Map(rows.map((row) => [`${side}.${pathText(row.path)}`, row]));
  }

  /**
   * Returns the names that a required capability has on the capabilities page. A capability such as `receiver.tasks`,
   * which either side can declare, has two.
   */
  capabilityRows(path: string, revision: Revision): readonly string[] {
    const [owner, ...rest] = path.split(".");
    const sides = (["client", "server"] as const).filter(
      (side) => side === owner || owner === "receiver" || owner === "sender",
    );
    return sides
      .filter((side) => this.capabilities(side, revision).has(`${side}.${rest.join(".")}`))
      .map((side) => `${side}.${rest.join(".")}`);
  }

  /** Returns the revision since which a type has had a member without interruption, up to and including `revision`. */
  sinceMember(
    revision: Revision,
    typeAt: (other: Revision) => string | undefined,
    row: MemberRow,
  ): Revision {
    const path = pathText(row.path);
    return since(revision, this.reference.revisions, (other) => {
      const type = typeAt(other);
      return (
        type !== undefined && this.members(other, type).some((one) => pathText(one.path) === path)
      );
    });
  }

  since(revision: Revision, entry: Entry): Revision {
    return since(revision, this.reference.revisions, (other) => entry.revisions.includes(other));
  }

  prose(doc: Doc | undefined, revision: Revision): Prose {
    return this.markdown(doc?.text ?? "", revision);
  }

  /** Returns Markdown from a revision's schema, with its links to names and to the specification. */
  markdown(text: string, revision: Revision): Prose {
    const names = this.namesOf(revision);
    return { node: "prose", markdown: withLinks(text, revision, names), names };
  }

  useLink({ name, kind }: Use): Inline {
    if (kind === "error") return link(`${ERRORS}#${fragment(name)}`, name);
    return this.named(name);
  }
}

function byName(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Converts `{@link Name | text}` to Markdown. */
function withLinks(text: string, { facts }: Revision, names: ReadonlyMap<string, string>): string {
  return text.replace(
    /\{@link\s+([^\s|}]+)\s*(?:\|\s*([^}]*?)\s*)?\}/g,
    (_, to: string, label: string | undefined) => {
      const shown = label ?? `\`${to}\``;
      if (names.has(to)) return `[${shown}](${NAME}${to})`;
      if (to.startsWith("https://")) return `[${label ?? to}](${to})`;
      const url = to.startsWith("/") ? siteUrl(to, facts.specification) : undefined;
      return url === undefined ? shown : `[${shown}](${url})`;
    },
  );
}

function siteUrl(path: string, specification: string | undefined): string | undefined {
  if (specification === undefined || !URL.canParse(path, specification)) return undefined;
  return new URL(path, specification).href;
}

/** Joins inline parts as in a sentence: `a, b and c`. */
export function joined(parts: readonly Inline[]): readonly Inline[] {
  return parts.flatMap((one, index) => {
    if (index === 0) return [one];
    return [index === parts.length - 1 ? " and " : ", ", one];
  });
}

/** Returns a comment's first sentence, without markup. */
export function firstSentence(text: string): string {
  const plain = plainText(text.split(/\n\s*\n/)[0] ?? "");
  return /^.+?[.!?](?=\s+[\p{Lu}`]|$)/su.exec(plain)?.[0] ?? plain;
}

/** Returns an element's id, which contains no white space. */
export function idOf(...parts: readonly string[]): string {
  return parts.join(".").replace(/[\s\p{Cc}]+/gu, "-");
}

/** Returns an id in the form of a link's fragment. */
export function fragment(...parts: readonly string[]): string {
  return encodeURIComponent(idOf(...parts).replace(/\p{Surrogate}/gu, "-"));
}

export function senderText({ from, channel }: Method): string {
  const side = from === "both" ? "either side" : `the ${from}`;
  return channel === "embedded" ? `${side}, inside a result` : side;
}

export function resultTypes({ result }: Method): readonly string[] {
  return result ? [result.type, ...result.alternatives.map(({ type }) => type)] : [];
}

export function hasHeaders({ revisions }: Reference): boolean {
  return revisions.some(({ facts }) => facts.headers !== undefined);
}
