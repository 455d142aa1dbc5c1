/**
 * An index of keys by URI. It finds the keys of a URI and its parents, however many keys it contains. The parents of
 * `a:b/c/d` are `a:b/c/`, `a:b/c`, `a:b/` and `a:b`; the parent of a URI with a query or fragment is the same URI
 * without it.
 */
export class UriIndex<Key> {
  readonly #byUri = new Map<string, Set<Key>>();
  #longest = 0;

  has(uri: string): boolean {
    return this.#byUri.has(uri);
  }

  add(key: Key, uri: string): void {
    const keys = this.#byUri.get(uri);
    if (keys) keys.add(key);
    else this.#byUri.set(uri, new Set([key]));
    this.#longest = Math.max(this.#longest, uri.length);
  }

  /** Removes a key. Returns true if it was the URI's last key. */
  delete(key: Key, uri: string): boolean {
    const keys = this.#byUri.get(uri);
    keys?.delete(key);
    return keys?.size === 0 && this.#byUri.delete(uri);
  }

  of(uri: string): ReadonlySet<Key> {
    const found = new Set<Key>();
    if (this.#byUri.size === 0) return found;
    for (const one of selfAndParents(uri, this.#longest)) {
      for (const key of this.#byUri.get(one) ?? []) found.add(key);
    }
    return found;
  }
}

function* selfAndParents(uri: string, longest: number): Generator<string> {
  if (uri.length <= longest) yield uri;
  for (let end = Math.min(uri.length - 1, longest); end > 0; end--) {
    if (!endsParent(uri, end)) continue;
    if (uri.charAt(end) === "/" && end < Math.min(uri.length - 1, longest)) {
      yield uri.slice(0, end + 1);
    }
    yield uri.slice(0, end);
  }
}

export function isIn(uri: string, parent: string): boolean {
  return (
    uri.length > parent.length &&
    uri.startsWith(parent) &&
    (parent.endsWith("/") || endsParent(uri, parent.length))
  );
}

function endsParent(uri: string, end: number): boolean {
  const character = uri.charAt(end);
  return character === "/" || character === "?" || character === "#";
}
