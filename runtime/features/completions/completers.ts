import type { FeatureHost, HandlerContext } from "../../api/index.js";
import { quote } from "../../wire/index.js";

export const DEFAULT_MAX_URI_LENGTH = 65_536;

/** The input that a completer receives in addition to the text typed so far. */
export interface CompletionCall<Context> {
  /** The arguments that the user has already chosen. Undefined if the revision or the client does not include them. */
  readonly arguments: Readonly<Record<string, string>> | undefined;
  readonly context: Context;
}

/** Suggestions, best first. */
export interface Suggestions {
  readonly values: readonly string[];
  /** The total number of values, if known. */
  readonly total?: number | undefined;
  /** True if there are more suggestions than those in `values`. */
  readonly hasMore?: boolean | undefined;
}

/** Suggests values that continue the text typed so far. Only the first 100 are sent. */
export type Completer<Context = HandlerContext> = (
  value: string,
  call: CompletionCall<Context>,
) => Answer | Promise<Answer>;

export type Answer = readonly string[] | Suggestions;

/** Completers by argument or variable, or `undefined` for an argument that exists but has no suggestions. */
export type Completers<Context = HandlerContext> = Readonly<
  Record<string, Completer<Context> | undefined>
>;

/** The prompt or resource template whose argument is being completed, as the client sends it. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/**
 * Returns the completers for a reference, a false value if it does not know the reference, or `hidden` if the reference
 * does not exist for the sender of the request.
 *
 * @throws InsufficientScopeError if the sender lacks scopes that the reference needs
 */
export type CompletionSource<Context = HandlerContext> = (
  reference: CompletionReference,
  context: Context,
) => Completers<Context> | "hidden" | false | undefined;

/** The operations of `Completions` that a feature with completers needs. */
export interface CompletionsOf<Context> {
  source(source: CompletionSource<Context>): unknown;
}

export function assertServed(completions: object | undefined, { features }: FeatureHost): void {
  if (!completions || !("handlers" in completions)) return;
  if (features.some((one) => one === completions)) return;
  throw new TypeError(
    "The Completions of a feature must also be listed as a feature: features: [resources, completions]",
  );
}

export function assertCompletable(
  what: string,
  noun: "argument" | "variable",
  names: readonly string[],
  completers: object,
  completions: object | undefined,
): void {
  if (completions === undefined) {
    throw new TypeError("complete needs Completions: pass them with the option completions");
  }
  const strange = Object.keys(completers).find((name) => !names.includes(name));
  if (strange === undefined) return;
  const known = names.join(", ") || "none";
  throw new TypeError(`${what} has no ${noun} ${quote(strange)} to complete: it has ${known}`);
}

/** Returns completers with an entry for each name, so that names without suggestions are also known. */
export function completersByName<Context>(
  names: readonly string[],
  completers: Completers<Context> = {},
): Completers<Context> {
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(completers, name) ? completers[name] : undefined]),
  );
}
