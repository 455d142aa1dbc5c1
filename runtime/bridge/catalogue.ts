import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Cursors } from "@mcp-codegen/runtime/features";
import { isRecord } from "./callers.js";
import { withSharedUi } from "./shared-uris.js";
import { LONGEST_NAME } from "./upstream.js";

type Item = Readonly<Record<string, unknown>>;

export interface CatalogueOptions {
  /** The string between a server's name and the name of its tool or prompt. */
  readonly separator: string;
  readonly cursors: Cursors;
  readonly report: (error: Error) => void;
}

/** A page of one server's list. The result is absent if the request failed. */
export interface ServerPage {
  readonly name: string;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** The maximum number of URIs per server that clients see unchanged. Other URIs get a prefix. */
const MOST_URIS = 20_000;
/** The maximum length of a URI that clients see unchanged. Longer URIs get a prefix. */
const LONGEST_URI = 2048;

const LONGEST_CURSOR = 8192;

/**
 * The names that clients see when several servers' lists are merged. Tools and prompts are prefixed with their server's
 * name. A URI usually stays unchanged but gets a prefix if another server used it first.
 */
export class Catalogue {
  readonly #names: readonly string[];
  readonly #separator: string;
  readonly #cursors: Cursors;
  readonly #report: (error: Error) => void;
  /**
   * Maps each URI or URI template to the server that used it first. The owner never changes, so a URI that clients know
   * keeps its meaning.
   */
  readonly #owners = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @param names - the servers' names, or one empty name for a single server, whose items keep their names */
  constructor(names: readonly string[], { separator, cursors, report }: CatalogueOptions) {
    this.#names = names;
    this.#separator = separator;
    this.#cursors = cursors;
    this.#report = report;
  }

  /** True if there is a single unnamed server, whose lists are forwarded unchanged. */
  get isPlain(): boolean {
    return this.#names[0] === "";
  }

  /** Splits a name that clients see into the server's name and the server's own name for the item. */
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
   * Returns the servers that may have a URI that clients see, each with its own form of the URI. The result is one
   * server if the prefix or an earlier use identifies it, and otherwise all servers.
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
    // The cursor may come from another process with the same key but different servers.
    return cursors.filter(([name]) => this.#names.includes(name));
  }

  /** Returns the items on a server's page, under the names that clients see. Reports items that cannot be listed. */
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
 * Returns a merged page's caching members, which follow the strictest page. If any page does not specify a time, the
 * result is empty.
 */
function freshness(pages: readonly ServerPage[]): object {
  const results = pages.map(({ result }) => result);
  const times = results.map((result) => result?.["ttlMs"]);
  if (!times.every((time) => typeof time === "number")) return {};
  const isPublic = results.every((result) => result?.["cacheScope"] === "public");
  return { ttlMs: Math.min(...times), cacheScope: isPublic ? "public" : "private" };
}
