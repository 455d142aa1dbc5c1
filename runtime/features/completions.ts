import { INVALID_PARAMS, type Revision, RpcError, quote } from "../wire/index.js";
import type { AnyHandler, Feature, FeatureHost, HandlerContext } from "../api/index.js";
import { knowsMember } from "./schema-checks.js";
import { UriTemplate } from "./uri-template/uri-template.js";

/** Length in UTF-16 units. */
export const DEFAULT_MAX_URI_LENGTH = 65_536;

/** Maximum number of values in one response (MCP: completion). */
const MAX_VALUES = 100;

export interface CompletionsOptions {
  /** Longest URI that is matched with templates, in UTF-16 units. Default: 65 536. */
  readonly maxUriLength?: number | undefined;
}

/** Further input of a completer. */
export interface CompletionCall<Context> {
  /**
   * Arguments that are already decided; undefined if the revision or the client does not include
   * them.
   */
  readonly arguments: Readonly<Record<string, string>> | undefined;
  readonly context: Context;
}

/** Suggestions, the best ones first. */
export interface Suggestions {
  readonly values: readonly string[];
  /** Total number of values, if known. */
  readonly total?: number | undefined;
  /** True if there are more than `values`. */
  readonly hasMore?: boolean | undefined;
}

/**
 * Suggests values that continue the text typed so far. Of more than 100, only the first 100 are
 * sent.
 */
export type Completer<Context = HandlerContext> = (
  value: string,
  call: CompletionCall<Context>,
) => Answer | Promise<Answer>;

type Answer = readonly string[] | Suggestions;

/** Completers by argument or variable; `undefined` for one that exists and has no suggestions. */
export type Completers<Context = HandlerContext> = Readonly<
  Record<string, Completer<Context> | undefined>
>;

/** Subject of a completion, as on the wire. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/**
 * Returns the completers of a reference; a false value for an unknown one, and `hidden` for one that does not exist for the sender.
 * @throws InsufficientScopeError if the sender lacks scopes that the reference needs
 */
export type CompletionSource<Context = HandlerContext> = (
  reference: CompletionReference,
  context: Context,
) => Completers<Context> | "hidden" | false | undefined;

/** Undoes a registration. */
export interface Removable {
  remove(): void;
}

/**
 * Suggestions for arguments of prompts and variables of resource templates. Pass it with the option
 * `features` (MCP: completion).
 *
 * @typeParam Context - context of handlers: `ServerContext` of the revision
 */
export class Completions<Context extends HandlerContext = HandlerContext> implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly #prompts = new Map<string, Completers<Context>>();
  readonly #resources = new Map<string, readonly [UriTemplate, Completers<Context>]>();
  readonly #maxUriLength: number;
  readonly #sources = new Set<CompletionSource<Context>>();

  constructor({ maxUriLength = DEFAULT_MAX_URI_LENGTH }: CompletionsOptions = {}) {
    this.#maxUriLength = maxUriLength;
    this.handlers = {
      "completion/complete": (params, context) =>
        this.#complete(params as CompleteParams, context as Context),
    };
  }

  /** @throws TypeError if the prompt has completers already */
  prompt(name: string, completers: Completers<Context>): Removable {
    return addTo(this.#prompts, name, completers);
  }

  /**
   * @param template - URI template (RFC 6570)
   * @throws TypeError for an invalid template, if it has completers already, and for completers of
   *   variables that it does not have
   */
  resource(template: string, completers: Completers<Context>): Removable {
    const parsed = new UriTemplate(template);
    assertCompletable(quote(template), "variable", parsed.variables, completers, this);
    return addTo(this.#resources, template, [parsed, completers]);
  }

  /** Adds a source of completers. The first one that knows a reference decides, unless completers were added for it here. */
  source(source: CompletionSource<Context>): Removable {
    this.#sources.add(source);
    return { remove: () => this.#sources.delete(source) };
  }

  async #complete(params: CompleteParams, context: Context): Promise<object> {
    const { ref, argument } = params;
    const given = hasCompletionContext(context.session.revision) ? params.context : undefined;
    const completers = this.#completersOf(ref, context);
    if (completers === undefined) {
      throw unknown(ref.type === "ref/prompt" ? `prompt ${quote(ref.name)}` : quote(ref.uri));
    }
    if (!Object.hasOwn(completers, argument.name)) throw unknown(quote(argument.name));
    const completer = completers[argument.name];
    const call = { arguments: given?.arguments, context };
    return { completion: limited(completer ? await completer(argument.value, call) : []) };
  }

  /** Sources are consulted first, because they know who may use what they have registered. */
  #completersOf(ref: CompletionReference, context: Context): Completers<Context> | undefined {
    const own = ref.type === "ref/prompt" ? this.#prompts.get(ref.name) : this.#familyOf(ref.uri);
    for (const source of this.#sources) {
      const completers = source(ref, context);
      if (completers === "hidden") return undefined;
      if (completers) return own ?? completers;
    }
    return own;
  }

  /** Finds the completers of a template, by the template itself or by a URI that it matches. */
  #familyOf(uri: string): Completers<Context> | undefined {
    const exact = this.#resources.get(uri);
    if (exact) return exact[1];
    if (uri.length > this.#maxUriLength) return undefined;
    for (const [template, completers] of this.#resources.values()) {
      if (template.match(uri)) return completers;
    }
    return undefined;
  }
}

/** Operations of `Completions` that a feature with completers needs. */
export interface CompletionsOf<Context> {
  source(source: CompletionSource<Context>): unknown;
}

/** @throws TypeError if `Completions` that a feature needs are not among the features of its server */
export function assertServed(completions: object | undefined, { features }: FeatureHost): void {
  if (!completions || !("handlers" in completions)) return;
  if (features.some((one) => one === completions)) return;
  throw new TypeError(
    "The Completions of a feature are not among the features: features: [resources, completions]",
  );
}

/** @throws TypeError for completers of unknown names, and without `Completions` that serve them */
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

/** An entry for each name, so that all of them are known, with or without suggestions. */
export function completersByName<Context>(
  names: readonly string[],
  completers: Completers<Context> = {},
): Completers<Context> {
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(completers, name) ? completers[name] : undefined]),
  );
}

interface CompleteParams {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
}

function addTo<Value>(map: Map<string, Value>, key: string, value: Value): Removable {
  if (map.has(key)) throw new TypeError(`${quote(key)} has completers already`);
  map.set(key, value);
  return {
    remove: () => {
      if (map.get(key) === value) map.delete(key);
    },
  };
}

function unknown(what: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: nothing is known of ${what}`);
}

function limited(answer: Answer): Suggestions {
  const { values, total, hasMore }: Suggestions = isList(answer)
    ? { values: answer, total: answer.length, hasMore: false }
    : answer;
  return {
    values: values.slice(0, MAX_VALUES),
    ...(total === undefined ? {} : { total }),
    ...(values.length > MAX_VALUES ? { hasMore: true } : hasMore === undefined ? {} : { hasMore }),
  };
}

/** True if completers receive the other arguments; revisions that lack them validate nothing about them. */
const hasCompletionContext: (revision: Revision) => boolean = /* @__PURE__ */ knowsMember({
  method: "completion/complete",
  part: "params",
  value: {
    ref: { type: "ref/prompt", name: "" },
    argument: { name: "", value: "" },
    context: 0,
  },
  path: "/context",
});

function isList(answer: Answer): answer is readonly string[] {
  return Array.isArray(answer);
}
