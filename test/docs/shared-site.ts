import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { SHARED } from "../support/shared-folder.js";

/** The address of the shared site. */
export const BASE = "https://docs.example/some/where/";

/** Returns this repository's site, which a run's test files build only once. */
export async function sharedSite(): Promise<readonly OutputFile[]> {
  const file = join(process.env[SHARED]!, "site.json");
  if (!existsSync(file)) {
    const { wholeSite } = await import("./site.js");
    const own = `${file}.${process.pid}`;
    writeFileSync(own, JSON.stringify(wholeSite(BASE)));
    renameSync(own, file);
  }
  return JSON.parse(readFileSync(file, "utf8")) as readonly OutputFile[];
}

/** Returns the text of a file in a site. */
export function textOf(site: readonly OutputFile[], path: string): string {
  const file = site.find((one) => one.path === path);
  if (!file) throw new Error(`The site has no ${path}.`);
  return file.text;
}

export interface Result {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
}

/** Returns the search of a site, which uses the site's own script and index. */
export function searchOf(site: readonly OutputFile[]): (query: string) => readonly Result[] {
  const scope: Record<string, unknown> = {};
  scope["globalThis"] = scope;
  for (const name of ["search", "search-index"]) {
    runInNewContext(textOf(site, `assets/${name}.js`), scope);
  }
  const search = scope["referenceSearch"] as (rows: unknown, query: string) => readonly Result[];
  return (query) => search(scope["referenceIndex"], query);
}

/** Returns the text of HTML as a reader sees it. */
export function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
