import type { AnyHandler, Feature, FeatureHost } from "../api/index.js";
import { announcement } from "./announcement.js";
import { type Revision, isFileUri, isObject, namesCapability, quote } from "../wire/index.js";

/** The members that roots have in all revisions. */
export interface RootDefinition {
  /** A URI with the `file:` scheme. */
  readonly uri: string;
  readonly name?: string;
}

/**
 * Lists the places that a client grants servers access to. Pass it in the `features` option (MCP: roots). Include only
 * places that the user has agreed to; a server is expected to stay within them, but nothing enforces that.
 *
 * @typeParam Root - the revision's definition of a root
 */
export class Roots<Root extends RootDefinition = RootDefinition> implements Feature {
  readonly capabilities = (revision: Revision): object =>
    namesCapability(revision, "client.roots.listChanged") ? { roots: { listChanged: true } } : {};
  readonly handlers: Readonly<Record<string, AnyHandler>> = {
    "roots/list": () => ({ roots: this.#roots }),
  };
  readonly #changed = announcement("notifications/roots/list_changed");
  #roots: readonly Root[];

  /**
   * Creates the feature.
   *
   * @throws TypeError if a root is not a `file:` URI or has `..` segments
   */
  constructor(roots: readonly Root[] = []) {
    this.#roots = checked(roots);
  }

  get current(): readonly Root[] {
    return this.#roots;
  }

  /**
   * Connects the feature to its client.
   *
   * @throws TypeError if the feature is already part of a client
   */
  attach(host: FeatureHost): void {
    this.#changed.attach(host);
  }

  /**
   * Replaces the roots and notifies servers that they have changed.
   *
   * @throws TypeError if a root is not a `file:` URI or has `..` segments, in which case nothing changes
   */
  set(roots: readonly Root[]): void {
    this.#roots = checked(roots);
    this.#changed.announce();
  }
}

function checked<Root extends RootDefinition>(roots: readonly Root[]): readonly Root[] {
  for (const root of roots) {
    const uri: unknown = isObject(root) ? root.uri : undefined;
    if (typeof uri !== "string") {
      const what = `not ${quote(String(root))}`;
      throw new TypeError(
        `A root must be an object with a file:// URI, { uri: "file:///…" }, ${what}`,
      );
    }
    if (!isFileUri(uri)) {
      const what = "a file:// URI without .. segments, percent-encoded where due";
      throw new TypeError(`A root must be ${what}, not ${quote(uri)}`);
    }
  }
  return [...roots];
}
