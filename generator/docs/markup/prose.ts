import newMarkdown, { type Env as AnyEnv, type MarkdownIt } from "markdown-it";
import { escapeInvisible } from "../../emit/printer/code.js";
import { htmlText } from "../../emit/printer/page-text.js";
import type { Heading, Prose } from "../page.js";

/** The maximum length, in characters, of Markdown that is parsed. Longer Markdown is shown unrendered. */
const LONGEST = 200_000;

/** The scheme for links to the pages of types and methods: `name:Tool`. */
export const NAME = "name:";

/** The data for one rendering. It is passed to the parser's rules, because all renderings share the parser. */
interface Env {
  readonly prose: Prose;
  readonly hrefOf: (to: string) => string;
  readonly ids: Ids;
  /** The targets of the links that are currently open; undefined for a link that is shown only as text. */
  readonly links: (string | undefined)[];
}

const parser = newParser();

/**
 * Renders Markdown as HTML. HTML in the text is escaped, images are left out, and links must lead to `https:` URLs or
 * to pages of the site.
 */
export function proseHtml(prose: Prose, hrefOf: (to: string) => string): string {
  const { markdown } = prose;
  if (markdown.length > LONGEST) return `<pre>${htmlText(markdown)}</pre>`;
  const env: Env = { prose, hrefOf, ids: new Ids(prose.idPrefix ?? ""), links: [] };
  return parser.render(escapeInvisible(markdown), env as unknown as AnyEnv).trimEnd();
}

/**
 * Returns the headings in Markdown, with the ids that they have in HTML; empty for Markdown that is too long to be
 * rendered.
 */
export function headingsOf(markdown: string, prefix: string): readonly (Heading & Section)[] {
  const found: (Heading & Section)[] = [];
  if (markdown.length > LONGEST) return found;
  const tokens = parser.parse(escapeInvisible(markdown), {});
  const lines = markdown.split("\n");
  const ids = new Ids(prefix);
  for (const [index, { type, tag, map }] of tokens.entries()) {
    if (type !== "heading_open" || !map) continue;
    const text = plainText(tokens[index + 1]?.content ?? "");
    const next = tokens.findIndex((other, at) => at > index && other.type === "heading_open");
    const end = next === -1 ? lines.length : (tokens[next]!.map?.[0] ?? lines.length);
    const body = plainText(lines.slice(map[1], end).join("\n"));
    found.push({ id: ids.next(text), text, level: Number(tag.slice(1)), body });
  }
  return found;
}

/** The text below a heading, up to the next heading. */
export interface Section {
  readonly level: number;
  readonly body: string;
}

/** Returns Markdown as plain text on one line, without markup. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\{@link\s+([^\s|}]+)\s*(?:\|\s*([^}]*))?\}/g, (_, to: string, text?: string) => {
      return text ?? to;
    })
    .replace(/\]\([^)\s]*\)/g, "]")
    .replace(/^(?:```.*|\s*[|:-]{3,}[\s|:-]*)$/gm, "")
    .replace(/[`*[\]]/g, "")
    .replace(/[|#>]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Prepares Markdown for a Markdown page: removes HTML and images, and resolves links as {@link proseHtml} does. */
export function proseMarkdown(prose: Prose, hrefOf: (to: string) => string): string {
  const { markdown } = prose;
  const text = escapeInvisible(markdown);
  if (text.length > LONGEST) return text.replaceAll("<", "&lt;");
  const isOpen = (text.match(/^\s*(?:```|~~~)/gm) ?? []).length % 2 === 1;
  const closed = isOpen ? `${text}\n\`\`\`` : text;
  return closed
    .split(/(^\s*```[\s\S]*?^\s*```\s*$|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 1 ? part : withoutMarkup(part, prose, hrefOf)))
    .join("");
}

function withoutMarkup(text: string, prose: Prose, hrefOf: (to: string) => string): string {
  return text
    .replaceAll("<", "&lt;")
    .replaceAll("![", "[")
    .replace(/\]:/g, "\\]:")
    .replace(/\]\(\s*([^)\s]*)[^)]*\)/g, (_, destination: string) => {
      const target = targetOf(destination, prose);
      return target === undefined ? "]" : `](${hrefOf(target)})`;
    });
}

function newParser(): MarkdownIt {
  const markdown = newMarkdown("default", { html: false, linkify: false, typographer: false });
  markdown.disable(["image"]);
  markdown.validateLink = () => true;
  const { rules } = markdown.renderer;
  rules["link_open"] = (tokens, index, _options, env) => {
    const { prose, hrefOf, links } = own(env);
    const target = targetOf(String(tokens[index]!.attrGet("href") ?? ""), prose);
    links.push(target);
    return target === undefined ? "" : `<a href="${htmlText(hrefOf(target))}">`;
  };
  rules["link_close"] = (_tokens, _index, _options, env) =>
    own(env).links.pop() === undefined ? "" : "</a>";
  rules["code_inline"] = (tokens, index, _options, env) => {
    const { prose, hrefOf, links } = own(env);
    const { content } = tokens[index]!;
    const page = links.length === 0 ? prose.names.get(content) : undefined;
    const code = `<code>${htmlText(content)}</code>`;
    return page === undefined ? code : `<a href="${htmlText(hrefOf(page))}">${code}</a>`;
  };
  rules["fence"] = rules["code_block"] = (tokens, index) =>
    `<pre tabindex="0"><code>${htmlText(tokens[index]!.content.trimEnd())}</code></pre>\n`;
  rules["table_open"] = () => '<div class="wide" tabindex="0"><table>\n';
  rules["table_close"] = () => "</table></div>\n";
  rules["th_open"] = (tokens, index) => `<${cellTag(tokens[index + 1])}>`;
  rules["th_close"] = (tokens, index) => `</${cellTag(tokens[index - 1])}>`;
  rules["heading_open"] = (tokens, index, _options, env) => {
    const { prose, ids } = own(env);
    const { tag } = tokens[index]!;
    if (prose.idPrefix === undefined) return "<p><strong>";
    const id = htmlText(ids.next(plainText(tokens[index + 1]?.content ?? "")));
    return `<${tag} id="${id}"><a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  };
  rules["heading_close"] = (tokens, index, _options, env) =>
    own(env).prose.idPrefix === undefined ? "</strong></p>\n" : `</${tokens[index]!.tag}>\n`;
  return markdown;
}

/** Returns the tag for a cell in a table's head. An empty cell is not a heading. */
function cellTag(inner: { readonly content: string } | undefined): "td" | "th" {
  return inner?.content === "" ? "td" : "th";
}

function own(env: AnyEnv | undefined): Env {
  return env as unknown as Env;
}

/** Returns a link's target, which is an `https:` URL or a page of the site; undefined if the link is not allowed. */
function targetOf(
  destination: string,
  { names, resolve }: Pick<Prose, "names" | "resolve">,
): string | undefined {
  if (destination.startsWith(NAME)) return names.get(destination.slice(NAME.length));
  if (/^https:\/\/[^\s/]/i.test(destination)) return destination;
  return resolve?.(destination);
}

/** Creates ids for headings, derived from their text in the same way as on code hosts. */
class Ids {
  readonly #prefix: string;
  readonly #used = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  next(text: string): string {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const before = this.#used.get(slug) ?? 0;
    this.#used.set(slug, before + 1);
    return `${this.#prefix}${slug}${before === 0 ? "" : `-${before}`}`;
  }
}
