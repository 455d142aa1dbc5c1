import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Cursors } from "@mcp-codegen/runtime/features";
import { isRecord } from "./callers.js";
import { withSharedUi } from "./shared-uris.js";
import { LONGEST_NAME } from "./upstream.js";

type Item = Readonly<Record<string, unknown>>;

export interface CatalogueOptions {
  /** Text between the name of a server and that of its item. */
  readonly separator: string;
  /** Seals the cursors of merged lists. */
  readonly cursors: Cursors;
  readonly report: (error: Error) => void;
}

/** Page of one server, or the error with which it failed. */
export interface ServerPage {
  readonly name: string;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Maximum number of URIs of one server that stay as they are, and maximum length of one. */
const MOST_URIS = 20_000;
const LONGEST_URI = 2048;

/** Maximum length of the cursor of one server. */
const LONGEST_CURSOR = 8192;

/**
 * Names under which the lists of several servers appear as one: names of tools and prompts begin with that of their
 * server; URIs stay unchanged, unless another server has used the same one before.
 */
export class Catalogue {
  readonly #names: readonly string[];
  readonly #separator: string;
  readonly #cursors: Cursors;
  readonly #report: (error: Error) => void;
  /** Servers by the URIs and templates that they were the first to use. A URI that clients know never changes hands. */
  readonly #owners = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /**
   * @param names - names of the servers; one empty name for a single server, whose items keep their names
   * @param report - called with each error, also if it repeats one
   */
  constructor(names: readonly string[], { separator, cursors, report }: CatalogueOptions) {
    this.#names = names;
    this.#separator = separator;
    this.#cursors = cursors;
    this.#report = report;
  }

  /** True for a single server, whose lists are forwarded unchanged. */
  get isPlain(): boolean {
    return this.#names[0] === "";
  }

  /** Server of a prefixed name, and its own name for it; undefined for a name without such a prefix. */
  ownName(given: unknown): readonly [server: string, name: string] | undefined {
    if (typeof given !== "string") return undefined;
    if (this.isPlain) return ["", given];
    for (const name of this.#names) {
      const prefix = `${name}${this.#separator}`;
      if (given.startsWith(prefix)) return [name, given.slice(prefix.length)];
    }
    return undefined;
  }

  /** Servers that may have a URI, the likely ones first, each with its own form of the URI. */
  ownUris(given: string): readonly (readonly [server: string, uri: string])[] {
    if (this.isPlain) return [["", given]];
    for (const name of this.#names) {
      const prefix = `mcp+${name}:`;
      if (given.startsWith(prefix)) return [[name, given.slice(prefix.length)]];
    }
    const owner = this.#owners.get(given);
    return (owner === undefined ? this.#names : [owner]).map((name) => [name, given]);
  }

  /** The form in which clients see a name of a server. */
  sharedName(server: string, name: string): string {
    return this.isPlain ? name : `${server}${this.#separator}${name}`;
  }

  /** The form in which clients see a URI of a server: unchanged for the first server that uses it. */
  sharedUri(server: string, uri: string): string {
    if (this.isPlain) return uri;
    const owner = this.#owners.get(uri) ?? this.#claim(server, uri);
    return owner === server ? uri : `mcp+${server}:${uri}`;
  }

  #claim(server: string, uri: string): string | undefined {
    const count = this.#counts.get(server) ?? 0;
    if (count >= MOST_URIS || uri.length > LONGEST_URI) return undefined;
    this.#counts.set(server, count + 1);
    this.#owners.set(uri, server);
    return server;
  }

  /** One page with the items of a page of each server. */
  async page(family: MethodFamily, pages: readonly ServerPage[]): Promise<Record<string, unknown>> {
    const items = pages.flatMap((page) => this.items(family, page));
    const more = pages.flatMap(({ name, result }) => {
      const cursor = result?.["nextCursor"];
      if (typeof cursor !== "string") return [];
      if (cursor.length <= LONGEST_CURSOR) return [[name, cursor] as const];
      const why = `its cursor has more than ${LONGEST_CURSOR} characters`;
      this.#report(new Error(`${name}: the rest of ${family.list} is not listed: ${why}`));
      return [];
    });
    const next = more.length > 0 && {
      nextCursor: await this.#cursors.sealText(family.list, JSON.stringify(more)),
    };
    return { [family.name]: items, ...freshness(pages), ...next };
  }

  /**
   * Cursors of the individual servers that a cursor of `page` combines.
   *
   * @throws RpcError if it is not one
   */
  async cursors(
    { list }: MethodFamily,
    given: unknown,
  ): Promise<readonly (readonly [server: string, cursor: string | undefined])[]> {
    if (given === undefined) return this.#names.map((name) => [name, undefined]);
    const text = await this.#cursors.openText(list, String(given));
    const cursors = JSON.parse(text) as readonly (readonly [string, string])[];
    // Another process with the same key may have other servers.
    return cursors.filter(([name]) => this.#names.includes(name));
  }

  /** Items of a page of one server. Those that cannot be listed are reported. */
  items({ name: list, key, noun }: MethodFamily, { name, result }: ServerPage): Item[] {
    const items = result?.[list];
    if (!Array.isArray(items)) return [];
    const seen = new Set<string>();
    return items.filter(isRecord).flatMap((item): Item[] => {
      const own = item[key];
      if (typeof own !== "string") return [];
      if (key !== "name") return [{ ...item, [key]: this.sharedUri(name, own) }];
      const shared = this.sharedName(name, own);
      const problem = seen.has(shared)
        ? "another one has the same name"
        : shared.length > LONGEST_NAME &&
          `with the name of its server it has more than ${LONGEST_NAME} characters`;
      seen.add(shared);
      if (!problem)
        return [withSharedUi({ ...item, [key]: shared }, (uri) => this.sharedUri(name, uri))];
      const what = `the ${noun} ${JSON.stringify(own.slice(0, 200))} is not listed`;
      this.#report(new Error(`${name}: ${what}: ${problem}`));
      return [];
    });
  }
}

/** Time and scope for which a merged page may be cached: the minimum over all pages. */
function freshness(pages: readonly ServerPage[]): object {
  const results = pages.map(({ result }) => result);
  const times = results.map((result) => result?.["ttlMs"]);
  if (!times.every((time) => typeof time === "number")) return {};
  const isPublic = results.every((result) => result?.["cacheScope"] === "public");
  return { ttlMs: Math.min(...times), cacheScope: isPublic ? "public" : "private" };
}
