import { codeBlock, codeCell, htmlText, inlineText } from "../../emit/printer/page-text.js";
import { renderTemplate } from "../../emit/template.js";
import type { Inline, Node, Part, Token, View } from "../page.js";
import { proseHtml, proseMarkdown } from "./prose.js";

/** A page's markup language, either HTML or Markdown: renders nodes and escapes text. */
export interface Notation {
  readonly folder: string;
  text(text: string): string;
  node(node: Node): string;
}

/** Text that has already been rendered in a notation. */
export class Rendered {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type PartlyRendered =
  View | Rendered | readonly PartlyRendered[] | { readonly [name: string]: PartlyRendered };

export function inNotation(view: PartlyRendered, notation: Notation): unknown {
  if (typeof view === "string") return notation.text(view);
  if (typeof view === "boolean") return view;
  if (view instanceof Rendered) return view.text;
  if (Array.isArray(view)) return view.map((item: PartlyRendered) => inNotation(item, notation));
  if (isNode(view)) return notation.node(view);
  const members = Object.entries(view).map(([name, member]) => [
    name,
    inNotation(member as PartlyRendered, notation),
  ]);
  return Object.fromEntries(members) as object;
}

function isNode(view: object): view is Node {
  return "node" in view && typeof view.node === "string";
}

export function fill(template: string, view: PartlyRendered, notation: Notation): string {
  const { folder } = notation;
  return renderTemplate(`docs/${folder}/${template}`, inNotation(view, notation) as object);
}

/**
 * Returns the notation for an HTML page.
 *
 * @param hrefOf - returns the link to a path on the site
 */
export function htmlNotation(hrefOf: (to: string) => string): Notation {
  const tokens = (all: readonly Token[]): string => all.map(token).join("");
  const token = ({ text, tone, to }: Token): string => {
    const shown = tone ? `<span class="${tone}">${htmlText(text)}</span>` : htmlText(text);
    return to === undefined ? shown : anchor(to, shown);
  };
  const anchor = (to: string, shown: string): string =>
    `<a href="${htmlText(hrefOf(to))}">${shown}</a>`;
  const inline = (part: Inline): string => {
    if (typeof part === "string") return htmlText(part);
    if (part.node === "link") return anchor(part.to, inline(part.text));
    return `<code>${tokens(part.tokens)}</code>`;
  };
  const notation: Notation = {
    folder: "html",
    text: htmlText,
    node(node): string {
      switch (node.node) {
        case "code":
        case "link":
          return inline(node);
        case "line":
          return node.parts.map(inline).join("");
        case "listing":
          return `<pre tabindex="0" class="${node.language}"><code>${tokens(node.tokens)}</code></pre>`;
        case "address":
          return htmlText(hrefOf(node.to));
        case "prose":
          return proseHtml(node, hrefOf);
        case "part":
          return filled(node, notation);
      }
    },
  };
  return notation;
}

/**
 * Returns the notation for a Markdown page.
 *
 * @param hrefOf - returns the link to a path on the site
 */
export function markdownNotation(hrefOf: (to: string) => string): Notation {
  const anchor = (to: string, shown: string): string =>
    `[${shown}](${hrefOf(to).replace(/[()\s<>]/g, encodeURIComponent)})`;
  const inline = (part: Inline): string => {
    if (typeof part === "string") return withSpaces(part);
    if (part.node === "link") return anchor(part.to, inline(part.text));
    const [first] = part.tokens;
    const shown = span(part.tokens.map(({ text }) => text).join(""));
    return part.tokens.length === 1 && first?.to !== undefined ? anchor(first.to, shown) : shown;
  };
  const notation: Notation = {
    folder: "markdown",
    text: (text) => inlineText(text),
    node(node): string {
      switch (node.node) {
        case "code":
        case "link":
          return inline(node);
        case "line":
          return node.parts.map(inline).join("");
        case "listing":
          return codeBlock(node.tokens.map(({ text }) => text).join(""), node.language);
        case "address":
          return hrefOf(node.to);
        case "prose":
          return proseMarkdown(node, hrefOf);
        case "part":
          return filled(node, notation);
      }
    },
  };
  return notation;
}

/** Escapes text that appears between other parts of a line. A leading or trailing space is kept. */
function withSpaces(text: string): string {
  const [start, end] = [/^\s/.test(text) ? " " : "", /\S\s$/.test(text) ? " " : ""];
  return `${start}${inlineText(text)}${end}`;
}

function filled({ template, view }: Part, notation: Notation): string {
  return fill(template, view, notation).trimEnd();
}

/** Returns an inline code span. Code without visible characters is shown as a string literal. */
function span(text: string): string {
  return codeCell(text.trim() === "" ? JSON.stringify(text) : text);
}
