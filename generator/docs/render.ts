import { readFileSync } from "node:fs";
import { join } from "node:path";
import { escapeInvisible } from "../emit/printer/code.js";
import { packageFolder } from "../bundled/bundled.js";
import { seal } from "../format/seal.js";
import type { OutputFile } from "../plan/file-plan.js";
import { fill, htmlNotation, markdownNotation, Rendered } from "./markup/notation.js";
import { code, line, type Page, type SearchEntry } from "./page.js";

export interface Shell {
  /** The name of the protocol or server. */
  readonly name: string;
  /** The line that marks a file as generated. */
  readonly origin: string;
  readonly command: string;
  /** A description of the schemas or the contract from which the site was generated, including the digest. */
  readonly sources: string;
  /** The published site's URL, ending in `/`; absent if it is unknown. */
  readonly base?: string;
  readonly areas: readonly { readonly page: string; readonly title: string }[];
}

/** The maximum length, in characters, of a search entry's text. */
const LONGEST_TEXT = 900;

/** Returns a site's files: each page as HTML and as Markdown, the assets, the search index and `llms.txt`. */
export function renderSite(pages: readonly Page[], shell: Shell): readonly OutputFile[] {
  const files = pages.flatMap((page) => [
    { path: `${page.path}.html`, text: htmlPage(page, shell) },
    { path: `${page.path}.md`, text: markdownPage(page, shell) },
  ]);
  const assets = ["reference.css", "reference.js", "search.js", "icon.svg"].map((name) => ({
    path: `assets/${name}`,
    text: readAsset(name).replace("{{origin}}", () => comment(shell.origin)),
  }));
  return [
    ...files,
    ...assets,
    { path: "assets/search-index.js", text: searchIndex(pages, shell) },
    { path: "llms.txt", text: llmsText(pages, shell) },
  ].map(({ path, text }) => ({ path, text: seal(text) }));
}

function readAsset(name: string): string {
  const file = join(packageFolder(), "templates", "docs", "assets", name);
  return readFileSync(file, "utf8").replaceAll("\r\n", "\n");
}

/** Makes text safe for use in a one-line comment in HTML, CSS or JavaScript. */
function comment(text: string): string {
  return escapeInvisible(text)
    .replaceAll("\n", " ")
    .replace(/-->|\*\//g, "");
}

function htmlPage(page: Page, shell: Shell): string {
  const { path, title, summary, outline } = page;
  // The page for missing addresses can be served for a path of any depth, so it needs absolute links.
  const isMissing = path === "404" && shell.base !== undefined;
  const root = isMissing ? new URL(shell.base!).pathname : "../".repeat(path.split("/").length - 1);
  const notation = htmlNotation((to) => (isForeign(to) ? to : `${root}${to}`));
  const file = `${path}.html`;
  const view = {
    origin: new Rendered(comment(shell.origin)),
    title: path === "index" ? title : `${title} · ${shell.name}`,
    summary,
    hasCanonical: shell.base !== undefined,
    canonical: path === "index" ? (shell.base ?? "") : `${shell.base ?? ""}${file}`,
    twin: `${root}${path}.md`,
    root,
    name: shell.name,
    areas: shell.areas.map((area) => ({
      href: `${root}${area.page}`,
      title: area.title,
      isCurrent: area.page === page.area,
    })),
    hasOutline: outline.length > 0,
    outline: outline.map(({ id, text }) => ({ fragment: encodeURIComponent(id), text })),
    content: new Rendered(fill(page.template, page.view, notation)),
    command: shell.command,
    sources: shell.sources,
  };
  return fill("page", view, notation);
}

export function markdownPage(page: Page, shell: Shell): string {
  const root = "../".repeat(page.path.split("/").length - 1);
  const notation = markdownNotation((to) =>
    isForeign(to) ? to : `${root}${to.replace(/\.html(?=#|$)/, ".md")}`,
  );
  const view = {
    origin: new Rendered(comment(shell.origin)),
    content: new Rendered(fill(page.template, page.view, notation).trim()),
    command: line(code(shell.command)),
    sources: shell.sources,
  };
  return fill("page", view, notation).replace(/\n{3,}/g, "\n\n");
}

function isForeign(to: string): boolean {
  return to.startsWith("https://");
}

/** Returns the rows of the search index, each with a name, kind, address and text. */
export function searchRows(pages: readonly Page[]): readonly (readonly string[])[] {
  return pages.flatMap(({ entries }) => entries).map(rowOf);
}

function rowOf({ name, kind, to, text }: SearchEntry): readonly string[] {
  const shown = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text;
  return [name, kind, to, shown].map((part) => escapeInvisible(part));
}

/** Returns the search index as a script, because pages opened as local files cannot fetch other files. */
function searchIndex(pages: readonly Page[], { origin }: Shell): string {
  const rows = searchRows(pages).map((row) => JSON.stringify(row));
  return `// ${comment(origin)}\nglobalThis.referenceIndex = [\n${rows.join(",\n")}\n];\n`;
}

function llmsText(pages: readonly Page[], shell: Shell): string {
  const notation = markdownNotation((to) => to);
  const groups = [{ page: undefined, title: "Start" }, ...shell.areas].map((area) => {
    const own = pages.filter((page) => page.area === area.page && page.path !== "404");
    const links = own.map(({ path, title, summary }) => {
      const address = `${shell.base ?? ""}${path}.md`;
      return `- [${notation.text(title)}](${address})${summary === "" ? "" : `: ${notation.text(summary)}`}`;
    });
    return links.length === 0 ? "" : `\n## ${area.title}\n\n${links.join("\n")}\n`;
  });
  return `# ${notation.text(shell.name)}\n\n<!-- ${comment(shell.origin)} -->\n${groups.join("")}`;
}
