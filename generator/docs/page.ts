/**
 * A page of a reference as plain data. A template and a notation (HTML or Markdown) turn its view into text. All
 * strings in a view are text, never markup.
 */
export interface Page {
  /** The path within the site, without the file extension, such as `type/Tool`. */
  readonly path: string;
  readonly title: string;
  /** The first sentence, for search engines and the list of pages. */
  readonly summary: string;
  /** The path of the navigation entry to which the page belongs; absent if it belongs to none. */
  readonly area?: string;
  /** The template's path below `templates/docs`, without the file extension. */
  readonly template: string;
  readonly view: View;
  readonly outline: readonly Heading[];
  readonly entries: readonly SearchEntry[];
}

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface SearchEntry {
  /** The entry's name, such as `tools/call`, `Tool.title`, `-32021`. */
  readonly name: string;
  /** The kind of entry: `method`, `type`, `member`, … */
  readonly kind: string;
  /** The path within the site, with file extension and fragment. */
  readonly to: string;
  readonly text: string;
}

export type View = string | boolean | Node | readonly View[] | { readonly [name: string]: View };

export interface Token {
  readonly text: string;
  readonly tone?: "keyword" | "literal" | "note";
  readonly to?: string;
}

export type Inline = string | Code | Link;

/** Code within a line. */
export interface Code {
  readonly node: "code";
  readonly tokens: readonly Token[];
}

export interface Link {
  readonly node: "link";
  /** A path within the site (`type/Tool.html#a`), or an `https:` URL. */
  readonly to: string;
  readonly text: Inline;
}

export interface Line {
  readonly node: "line";
  readonly parts: readonly Inline[];
}

/** Code in its own block. */
export interface Listing {
  readonly node: "listing";
  readonly language: "ts" | "json" | "text";
  readonly tokens: readonly Token[];
}

/** Markdown from a comment or a guide page. */
export interface Prose {
  readonly node: "prose";
  readonly markdown: string;
  /** The paths of the pages that code spans link to, by the name of the type or method. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns the path of the page that a relative link leads to; undefined if there is none. */
  readonly resolve?: (destination: string) => string | undefined;
  /** The prefix for heading ids; absent if headings have no ids. */
  readonly idPrefix?: string;
}

/** The target of a link that a template contains. */
export interface Address {
  readonly node: "address";
  readonly to: string;
}

/** A part of a page that has its own template. */
export interface Part {
  readonly node: "part";
  readonly template: string;
  readonly view: View;
}

export type Node = Code | Link | Line | Listing | Prose | Address | Part;

export function code(...tokens: readonly (string | Token)[]): Code {
  return { node: "code", tokens: tokens.map(token) };
}

export function listing(tokens: readonly Token[], language: Listing["language"] = "ts"): Listing {
  return { node: "listing", tokens, language };
}

export function line(...parts: readonly Inline[]): Line {
  return { node: "line", parts };
}

export function link(to: string, text: Inline): Link {
  return { node: "link", to, text };
}

export function address(to: string): Address {
  return { node: "address", to };
}

export function part(template: string, view: View): Part {
  return { node: "part", template, view };
}

export function nameCode(name: string, to: string | undefined): Code {
  return code(nameToken(name, to));
}

export function nameToken(text: string, to: string | undefined): Token {
  return { text, ...(to !== undefined && { to }) };
}

/** Converts the parts of a string between backticks to code. */
export function withCode(text: string): readonly Inline[] {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? code(piece) : piece));
}

export function listed(parts: readonly Inline[]): Line {
  return line(...parts.flatMap((one, index) => (index === 0 ? [one] : [", ", one])));
}

function token(text: string | Token): Token {
  return typeof text === "string" ? { text } : text;
}

const LONGEST = 80;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Generates file names for names that may contain any characters. The file names are unique even if case is ignored,
 * and depend on the order of the calls.
 */
export class Slugs {
  readonly #used = new Set<string>();

  next(name: string): string {
    const plain = name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, LONGEST);
    const safe = plain === "" || DEVICE.test(plain.split(".")[0]!) ? `name-${plain}` : plain;
    let slug = safe;
    for (let count = 2; this.#used.has(slug.toLowerCase()); count++) slug = `${safe}-${count}`;
    this.#used.add(slug.toLowerCase());
    return slug;
  }
}
