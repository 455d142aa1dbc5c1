import { INVALID_PARAMS, type MethodFamily, RpcError } from "@mcp-codegen/runtime";
import { isRecord } from "./callers.js";
import { LONGEST_NAME } from "./upstream.js";

type Item = Readonly<Record<string, unknown>>;

/** Page of one server, or the error with which it failed. */
export interface ServerPage {
  readonly name: string;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Maximum number of URIs whose owners are remembered; the oldest are removed first. */
const MOST_URIS = 50_000;

/**
 * Names under which the lists of several servers appear as one: names of tools and prompts begin with that of their
 * server; URIs stay unchanged, unless several servers list the same one.
 */
export class Catalogue {
  readonly #names: readonly string[];
  readonly #separator: string;
  readonly #report: (error: Error) => void;
  /** Servers by the URIs and templates that they list, in the order in which they were listed. */
  readonly #owners = new Map<string, readonly string[]>();

  /**
   * @param names - names of the servers; one empty name for a single server, whose items keep their names
   * @param report - called with each error, also if it repeats one
   */
  constructor(names: readonly string[], separator: string, report: (error: Error) => void) {
    this.#names = names;
    this.#separator = separator;
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
    const [owner] = this.#owners.get(given) ?? [];
    return (owner === undefined ? this.#names : [owner]).map((name) => [name, given]);
  }

  /** The form in which clients see a name of a server. */
  sharedName(server: string, name: string): string {
    return this.isPlain ? name : `${server}${this.#separator}${name}`;
  }

  /** The form in which clients see a URI of a server. */
  sharedUri(server: string, uri: string): string {
    if (this.isPlain) return uri;
    const owners = this.#owners.get(uri) ?? [];
    return owners.length === 0 || owners[0] === server ? uri : `mcp+${server}:${uri}`;
  }

  /** One page with the items of a page of each server. */
  page(family: MethodFamily, pages: readonly ServerPage[]): Record<string, unknown> {
    const items = pages.flatMap((page) => this.#itemsOf(family, page));
    const more = pages.flatMap(({ name, result }) => {
      const cursor = result?.["nextCursor"];
      return typeof cursor === "string" ? [[name, cursor] as const] : [];
    });
    return {
      [family.name]: items,
      ...freshness(pages),
      ...(more.length > 0 && { nextCursor: JSON.stringify(more) }),
    };
  }

  /**
   * Cursors of the individual servers that a cursor of `page` combines.
   *
   * @throws RpcError if it is not one
   */
  cursors(given: unknown): readonly (readonly [server: string, cursor: string | undefined])[] {
    if (given === undefined) return this.#names.map((name) => [name, undefined]);
    const found = decode(given);
    if (found?.every(([name]) => this.#names.includes(name))) return found;
    throw new RpcError(INVALID_PARAMS, "Invalid params: /cursor is not a cursor of this list");
  }

  #itemsOf({ name: list, key, noun }: MethodFamily, { name, result }: ServerPage): Item[] {
    const items = result?.[list];
    if (!Array.isArray(items)) return [];
    const isNamed = key === "name";
    return items.filter(isRecord).flatMap((item): Item[] => {
      const own = item[key];
      if (typeof own !== "string") return [];
      if (!isNamed) return [this.#claimed(item, key, name, own)];
      const shared = this.sharedName(name, own);
      if (shared.length <= LONGEST_NAME) return [{ ...item, [key]: shared }];
      const why = `with the name of its server it has more than ${LONGEST_NAME} characters`;
      const what = `the ${noun} ${JSON.stringify(own.slice(0, 200))} is not listed`;
      this.#report(new Error(`${name}: ${what}: ${why}`));
      return [];
    });
  }

  #claimed(item: Item, key: string, server: string, uri: string): Item {
    const owners = this.#owners.get(uri) ?? [];
    if (!owners.includes(server)) {
      const first = this.#names.filter((name) => name === server || owners.includes(name));
      this.#owners.set(uri, owners.length === 0 ? [server] : first);
      const [oldest] = this.#owners.keys();
      if (this.#owners.size > MOST_URIS && oldest !== undefined) this.#owners.delete(oldest);
    }
    return { ...item, [key]: this.sharedUri(server, uri) };
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

function decode(given: unknown): readonly (readonly [string, string])[] | undefined {
  try {
    const value: unknown = JSON.parse(String(given));
    const isWhole = Array.isArray(value) && value.length > 0 && value.every(isCursor);
    return isWhole ? (value as [string, string][]) : undefined;
  } catch {
    return undefined;
  }
}

function isCursor(one: unknown): boolean {
  return Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string");
}
