import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder } from "../bundled/bundled.js";
import type { Page, View } from "./page.js";
import { markdownPage, searchRows, type Shell } from "./render.js";

/** The parts of `@mcp-codegen/universal` that a reference server needs. */
export interface ServerParts<Server> {
  readonly McpServer: new (
    info: { readonly name: string; readonly version: string },
    options: { readonly instructions: string },
  ) => Server & Registry;
  readonly ResourceTemplate: new (uri: string, options: object) => object;
}

interface Registry {
  registerResource(
    name: string,
    template: object,
    config: object,
    read: (uri: URL, variables: Readonly<Record<string, unknown>>) => string | undefined,
  ): unknown;
  registerTool(
    name: string,
    config: object,
    handler: (args: { readonly query: string; readonly revision?: string }) => object,
  ): unknown;
}

export interface Content {
  readonly pages: readonly Page[];
  readonly shell: Shell;
  /** The revisions' ids, oldest first. */
  readonly revisions: readonly string[];
  readonly version: string;
}

interface Found {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
  readonly text: string;
}

type Search = (rows: unknown, query: string, limit: number) => readonly Found[];

/** The first segments of resource URIs that are not revision ids. */
const OTHERS = ["guide", "page"];

/**
 * Creates a server that offers a reference's pages as Markdown resources (`reference://2025-06-18/tools/call`,
 * `reference://guide/start`), and a tool that searches them.
 */
export async function referenceServer<Server>(
  { pages, shell, revisions, version }: Content,
  { McpServer, ResourceTemplate }: ServerParts<Server>,
): Promise<Server> {
  const search = await loadSearch();
  const rows = searchRows(pages);
  const named = pagesByName(pages);
  const server = new McpServer(
    { name: "reference", version },
    {
      instructions: `The reference of the ${shell.name}. Search first, then read the resources that it names.`,
    },
  );
  const names = [...named.keys()];
  // The pages of methods and types are not listed, because there are too many of them. They can be found with the
  // search tool.
  const listed = [...named].filter(([name]) => OTHERS.includes(name.split("/", 1)[0]!));
  const resources = listed.map(([name, { title, summary }]) => {
    return { uri: `reference://${name}`, name, title, description: summary };
  });
  const complete = {
    revision: (value: string) => [...revisions, ...OTHERS].filter((id) => id.startsWith(value)),
    name: (value: string) => names.filter((name) => name.startsWith(value)).slice(0, 100),
  };
  server.registerResource(
    "page",
    new ResourceTemplate("reference://{revision}/{+name}", {
      list: () => ({ resources }),
      complete,
    }),
    {
      description: "Page of a method or type in a revision, or of the guide",
      mimeType: "text/markdown",
    },
    (_uri, { revision, name }) => {
      const isOther = OTHERS.includes(String(revision));
      const page = named.get(isOther ? `${String(revision)}/${String(name)}` : String(name));
      const shown = page && (isOther ? page : atRevision(page, String(revision)));
      return shown && markdownPage(shown, shell);
    },
  );
  server.registerTool(
    "search",
    {
      description: "Finds methods, types, members, error codes and pages by name or words",
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "Name, code or words" },
          revision: { type: "string", enum: revisions, description: "Default: the newest" },
        },
        required: ["query"],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, revision }) => {
      const found = search(rows, query, 8);
      const lines = found.map(({ name, kind, address, text }) => {
        const uri = uriOf(address, pages, revision ?? revisions.at(-1)!);
        return `${name} (${kind}): ${uri}\n${text.slice(0, 400)}`;
      });
      return { content: [{ type: "text", text: lines.join("\n\n") || "Nothing found." }] };
    },
  );
  return server;
}

async function loadSearch(): Promise<Search> {
  const file = join(packageFolder(), "templates", "docs", "assets", "search.js");
  await import(pathToFileURL(file).href);
  return (globalThis as unknown as { referenceSearch: Search }).referenceSearch;
}

/** Returns the pages by name: the name of the method or type, `guide/start`, `page/errors`. */
function pagesByName(pages: readonly Page[]): ReadonlyMap<string, Page> {
  const entries = pages.map((page) => [nameOf(page), page] as const);
  return new Map(entries.toReversed());
}

function nameOf({ path, title, template }: Page): string {
  if (template === "method" || template === "type") return title;
  return path.startsWith("guide/") ? path : `page/${path}`;
}

function uriOf(address: string, pages: readonly Page[], revision: string): string {
  const path = address.replace(/\.html(?:#.*)?$/, "");
  const page = pages.find((one) => one.path === path)!;
  const name = nameOf(page);
  if (page.template !== "method" && page.template !== "type") return `reference://${name}`;
  const own = variantsOf(page).map(({ id }) => id);
  return `reference://${own.includes(revision) ? revision : own[0]}/${name}`;
}

interface Variant {
  readonly id: string;
  readonly [name: string]: View;
}

function variantsOf({ view }: Page): readonly Variant[] {
  return (
    (view as unknown as { revisions?: { variants: readonly Variant[] } }).revisions?.variants ?? []
  );
}

function atRevision(page: Page, revision: string): Page | undefined {
  const own = variantsOf(page).filter(({ id }) => id === revision);
  if (own.length === 0) return undefined;
  const view = page.view as { readonly revisions: object };
  return { ...page, view: { ...view, revisions: { ...view.revisions, variants: own } } as View };
}
