import type { HandlerContext } from "../api/index.js";
import type { MethodFamily, Revision } from "../wire/index.js";
import type { Cursors } from "./cursors.js";

/** Members of a family of methods that a registry needs. */
export type Family = Pick<MethodFamily, "name" | "noun" | "list" | "key" | "changed">;

export interface PagingOptions {
  /** Items on a page, 1 or more. Default: all of them on one page. */
  readonly pageSize?: number | undefined;
  /** Creates the cursors between pages; pass one with a key of your own if several instances answer. */
  readonly cursors?: Cursors | undefined;
  /**
   * Revisions whose rules new definitions must follow; an empty list disables the check. Default: those of the server,
   * once the server exists.
   */
  readonly revisions?: readonly Revision[] | undefined;
}

/** Rule that decides who sees and uses a registered definition. */
export interface AccessRule<Context = HandlerContext> {
  /**
   * True for requests that see it. For others it does not exist: it is not listed, and its use is answered like that of
   * an unknown one. Called for each such request, so decide from the context: `auth`, `meta`, `header`.
   */
  readonly visible?: ((context: Context) => boolean) | undefined;
  /**
   * Scopes that its use needs. Without them a request is refused with status 403 and a challenge that names them all; it
   * stays listed, so that clients can request more.
   */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Handle of a registered definition, for the code that registered it. A removed definition cannot
 * be added again through its handle.
 *
 * @typeParam Given - values that are registered with the definition, such as its handler
 */
export interface Registration<Definition, Given extends readonly unknown[] = readonly unknown[]> {
  readonly definition: Definition;
  readonly isEnabled: boolean;
  /**
   * Replaces members of the definition, and the values that were registered with it, except
   * undefined ones.
   * @throws TypeError if another definition has the same key, or the definition is invalid; nothing
   *   changes then
   */
  update(changes: Partial<Definition>, ...given: Partial<Given>): void;
  /**
   * Replaces the whole definition, and all values that were registered with it.
   * @throws TypeError as `update` does
   */
  replace(definition: Definition, ...given: Given): void;
  /** Lists it again. */
  enable(): void;
  /** Excludes it from lists and from use. */
  disable(): void;
  remove(): void;
  /**
   * Replaces the rule that decides who sees and uses it.
   * @throws TypeError if the rule is invalid
   */
  restrict(rule: AccessRule): void;
}

/** Registered definition, with the values that its use needs. */
export interface RegistryEntry<Definition, Behaviour> {
  readonly definition: Definition;
  readonly behaviour: Behaviour;
  /** Rule that decides who sees and uses it; undefined if everyone does. */
  readonly rule: AccessRule | undefined;
}

/** The result of a list request. */
export interface ListResult {
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}
