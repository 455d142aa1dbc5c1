import type { HandlerContext } from "../api/index.js";
import type { MethodFamily, Revision } from "../wire/index.js";
import type { Cursors } from "./cursors.js";

/** The members of a method family that a registry needs. */
export type Family = Pick<MethodFamily, "name" | "noun" | "list" | "key" | "changed">;

export interface PagingOptions {
  /** The maximum number of items on a page, at least 1. Default: all items are on one page. */
  readonly pageSize?: number | undefined;
  /**
   * Creates the cursors between pages. If several instances answer, give each of them an object with the same key.
   * Default: one with a random key.
   */
  readonly cursors?: Cursors | undefined;
  /**
   * The revisions whose rules new definitions must follow. An empty list disables the check. Default: those of the
   * server, once it exists.
   */
  readonly revisions?: readonly Revision[] | undefined;
}

/** Decides who can see and use a registered definition. */
export interface AccessRule<Context = HandlerContext> {
  /**
   * Returns true if the sender of a request can see the definition. For all other senders, the definition does not
   * exist: it is not listed, and requests for it are answered like requests for an unknown definition. Called for each
   * such request, so base the decision on the context: `auth`, `meta`, `header`. Default: everyone can see the
   * definition.
   */
  readonly visible?: ((context: Context) => boolean) | undefined;
  /**
   * The scopes that a sender needs to use the definition. If one is missing, the request is refused with status 403 and
   * a challenge that names all of them. The definition is still listed, so that clients can request more scopes.
   * Default: none.
   */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * The handle of a registered definition, for the code that registered it. Once a definition has been removed, its
 * handle cannot add it again.
 *
 * @typeParam Given - the values that are registered with the definition, such as its handler
 */
export interface Registration<Definition, Given extends readonly unknown[] = readonly unknown[]> {
  readonly definition: Definition;
  readonly isEnabled: boolean;
  /**
   * Replaces members of the definition and the values that were registered with it. Those that are undefined are kept.
   *
   * @throws TypeError if another definition has the same key, or if the definition is invalid; in either case, nothing
   *   changes
   */
  update(changes: Partial<Definition>, ...given: Partial<Given>): void;
  /**
   * Replaces the whole definition, and all values that were registered with it.
   * @throws TypeError as `update` does
   */
  replace(definition: Definition, ...given: Given): void;
  /** Includes the definition in lists and permits its use again. */
  enable(): void;
  /** Excludes the definition from lists and from use. */
  disable(): void;
  remove(): void;
  /**
   * Replaces the rule that decides who can see and use the definition.
   * @throws TypeError if the rule is invalid
   */
  restrict(rule: AccessRule): void;
}

export interface RegistryEntry<Definition, Behaviour> {
  readonly definition: Definition;
  readonly behaviour: Behaviour;
  readonly rule: AccessRule | undefined;
}

export interface ListResult {
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}
