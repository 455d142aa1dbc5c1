import { INVALID_PARAMS, RpcError, quote } from "../../wire/index.js";
import { hasMember } from "../../wire/members/index.js";
import type { AnyHandler, Feature, HandlerContext } from "../../api/index.js";
import {
  type Answer,
  assertCompletable,
  type Completers,
  type CompletionReference,
  type CompletionSource,
  DEFAULT_MAX_URI_LENGTH,
  type Suggestions,
} from "./completers.js";
import { UriTemplate } from "../uri-template/uri-template.js";

/** Maximum number of values in one response (MCP: completion). */
const MAX_VALUES = 100;

export interface CompletionsOptions {
  /** Maximum length of a URI that is matched with templates, in UTF-16 units. Default: 65 536. */
  readonly maxUriLength?: number | undefined;
  /** Sources of completers that are added at once, as `Completions.source` does later. Default: none. */
  readonly sources?: Iterable<CompletionSource> | undefined;
}

/** Registration that can be undone. */
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
  readonly #byPrompt = new Map<string, Completers<Context>>();
  readonly #byTemplate = new Map<string, readonly [UriTemplate, Completers<Context>]>();
  readonly #maxUriLength: number;
  readonly #sources: Set<CompletionSource<Context>>;

  constructor({ maxUriLength = DEFAULT_MAX_URI_LENGTH, sources }: CompletionsOptions = {}) {
    this.#maxUriLength = maxUriLength;
    this.#sources = new Set(sources);
    this.handlers = {
      "completion/complete": (params, context) =>
        this.#complete(params as CompleteParams, context as Context),
    };
  }

  /**
   * Adds completers for the arguments of a prompt.
   * @throws TypeError if the prompt already has completers
   */
  prompt(name: string, completers: Completers<Context>): Removable {
    return addTo(this.#byPrompt, name, completers);
  }

  /**
   * Adds completers for the variables of a resource template.
   * @param template - URI template (RFC 6570)
   * @throws TypeError for an invalid template, if it already has completers, and for completers of variables that it
   *   does not have
   */
  resource(template: string, completers: Completers<Context>): Removable {
    const parsed = new UriTemplate(template);
    assertCompletable(quote(template), "variable", parsed.variables, completers, this);
    return addTo(this.#byTemplate, template, [parsed, completers]);
  }

  /**
   * Adds a source of completers. The first source that knows a reference is used, unless completers were added
   * directly for that reference.
   */
  source(source: CompletionSource<Context>): Removable {
    this.#sources.add(source);
    return { remove: () => this.#sources.delete(source) };
  }

  async #complete(params: CompleteParams, context: Context): Promise<object> {
    const { ref, argument } = params;
    // Ignored in revisions that do not define this member, because they have no type to validate it.
    const { params: validator } = context.session.revision.methods.get("completion/complete")!;
    const given = validator && hasMember(validator, "context") ? params.context : undefined;
    const completers = this.#completersOf(ref, context);
    if (completers === undefined) {
      throw unknown(ref.type === "ref/prompt" ? `prompt ${quote(ref.name)}` : quote(ref.uri));
    }
    if (!Object.hasOwn(completers, argument.name)) throw unknown(quote(argument.name));
    const completer = completers[argument.name];
    const call = { arguments: given?.arguments, context };
    return { completion: limited(completer ? await completer(argument.value, call) : []) };
  }

  /**
   * Finds the completers of a reference. Sources are called even if there are completers for it here, because they
   * know which senders may use the definitions that they have registered.
   */
  #completersOf(ref: CompletionReference, context: Context): Completers<Context> | undefined {
    const own = ref.type === "ref/prompt" ? this.#byPrompt.get(ref.name) : this.#familyOf(ref.uri);
    for (const source of this.#sources) {
      const completers = source(ref, context);
      if (completers === "hidden") return undefined;
      if (completers) return own ?? completers;
    }
    return own;
  }

  /** Finds the completers of a template, by the template itself or by a URI that it matches. */
  #familyOf(uri: string): Completers<Context> | undefined {
    const exact = this.#byTemplate.get(uri);
    if (exact) return exact[1];
    if (uri.length > this.#maxUriLength) return undefined;
    for (const [template, completers] of this.#byTemplate.values()) {
      if (template.match(uri)) return completers;
    }
    return undefined;
  }
}

interface CompleteParams {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
}

function addTo<Value>(map: Map<string, Value>, key: string, value: Value): Removable {
  if (map.has(key)) throw new TypeError(`${quote(key)} already has completers`);
  map.set(key, value);
  return {
    remove: () => {
      if (map.get(key) === value) map.delete(key);
    },
  };
}

function unknown(what: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: unknown ${what}`);
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

function isList(answer: Answer): answer is readonly string[] {
  return Array.isArray(answer);
}
