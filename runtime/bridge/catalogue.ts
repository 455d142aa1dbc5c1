import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Cursors } from "@mcp-codegen/runtime/features";
import { isRecord } from "./callers.js";
import { withSharedUi } from "./shared-uris.js";
import { LONGEST_NAME } from "./upstream.js";

type Item = Readonly<Record<string, unknown>>;

export interface CatalogueOptions {
  /** String between a server's name and the name of its tool or prompt. */
  readonly separator: string;
  readonly cursors: Cursors;
  readonly report: (error: Error) => void;
}

/** Page of one server's list. The result is absent if the request failed. */
export interface ServerPage {
  readonly name: string;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Maximum number of URIs per server that clients see unchanged; other URIs get a prefix. */
const MOST_URIS = 20_000;
/** Maximum length of a URI that clients see unchanged; longer URIs get a prefix. */
const LONGEST_URI = 2048;

const LONGEST_CURSOR = 8192;

/**
 * Names that clients see when the lists of several servers are merged. Tools and prompts get their server's name as a
 * prefix. A URI usually stays unchanged, but gets a prefix if another server used it first.
 */
export class Catalogue {
  readonly #names: readonly string[];
  readonly #separator: string;
  readonly #cursors: Cursors;
  readonly #report: (error: Error) => void;
  /**
   * Server that first used a URI or URI template. The owner never changes, so that a URI that clients know keeps its
   * meaning.
   */
  readonly #owners = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @param names - names of the servers; one empty name for a single server, whose items keep their names */
  constructor(names: readonly string[], { separator, cursors, report }: CatalogueOptions) {
    this.#names = names;
    this.#separator = separator;
    this.#cursors = cursors;
    this.#report = report;
  }

  /** True if there is a single server without a name, whose lists are forwarded unchanged. */
  get isPlain(): boolean {
    return this.#names[0] === "";
  }

  /** Splits a name that clients see into the name of the server and the server's own name for the item. */
  ownName(given: unknown): readonly [server: string, name: string] | undefined {
    if (typeof given !== "string") return undefined;
    if (this.isPlain) return ["", given];
    for (const name of this.#names) {
      const prefix = `${name}${this.#separator}`;
      if (given.startsWith(prefix)) return [name, given.slice(prefix.length)];
    }
    return undefined;
  }

  /**
   * Returns the servers that may have a URI that clients see, each with its own form of the URI: one server if the
   * prefix or an earlier use identifies it, otherwise all.
   */
  ownUris(given: string): readonly (readonly [server: string, uri: string])[] {
    if (this.isPlain) return [["", given]];
    for (const name of this.#names) {
      const prefix = `mcp+${name}:`;
      if (given.startsWith(prefix)) return [[name, given.slice(prefix.length)]];
    }
    const owner = this.#owners.get(given);
    return (owner === undefined ? this.#names : [owner]).map((name) => [name, given]);
  }

  sharedName(server: string, name: string): string {
    return this.isPlain ? name : `${server}${this.#separator}${name}`;
  }

  /** Returns the URI that clients see. The first server that uses a URI becomes its owner. */
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

  async cursors(
    { list }: MethodFamily,
    given: unknown,
  ): Promise<readonly (readonly [server: string, cursor: string | undefined])[]> {
    if (given === undefined) return this.#names.map((name) => [name, undefined]);
    const text = await this.#cursors.openText(list, String(given));
    const cursors = JSON.parse(text) as readonly (readonly [string, string])[];
    // The cursor may be from another process with the same key, which may have other servers.
    return cursors.filter(([name]) => this.#names.includes(name));
  }

  /** Returns the items of a server's page, with the names that clients see. Reports items that cannot be listed. */
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

/**
 * Returns the caching members of a merged page, which follow the strictest page. There are none if a page states no
 * time.
 */
function freshness(pages: readonly ServerPage[]): object {
  const results = pages.map(({ result }) => result);
  const times = results.map((result) => result?.["ttlMs"]);
  if (!times.every((time) => typeof time === "number")) return {};
  const isPublic = results.every((result) => result?.["cacheScope"] === "public");
  return { ttlMs: Math.min(...times), cacheScope: isPublic ? "public" : "private" };
}
