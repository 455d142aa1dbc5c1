import { INVALID_PARAMS, RpcError, quote } from "../../wire/index.js";
import { hasMember } from "../../wire/members/index.js";
import type { AnyHandler, Feature, HandlerContext } from "../../api/index.js";
import {
  type Answer,
  type Completers,
  type CompletionReference,
  type CompletionSource,
  type Suggestions,
} from "./completers.js";

/** The maximum number of values in one response (MCP: completion). */
const MAX_VALUES = 100;

export interface CompletionsOptions {
  /** The initial sources of completers. `Completions.source` adds more. Default: none. */
  readonly sources?: Iterable<CompletionSource> | undefined;
}

/** A registration that can be undone. */
export interface Removable {
  remove(): void;
}

/**
 * Suggests values for prompt arguments and resource template variables. Pass it in the `features` option, and in the
 * `completions` option of features whose definitions have completers (MCP: completion).
 *
 * @typeParam Context - the context of handlers: the revision's `ServerContext`
 */
export class Completions<Context extends HandlerContext = HandlerContext> implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly #sources: Set<CompletionSource<Context>>;

  constructor({ sources }: CompletionsOptions = {}) {
    this.#sources = new Set(sources);
    this.handlers = {
      "completion/complete": (params, context) =>
        this.#complete(params as CompleteParams, context as Context),
    };
  }

  /** Adds a source of completers. The first source that knows a reference is the one used. */
  source(source: CompletionSource<Context>): Removable {
    this.#sources.add(source);
    return { remove: () => this.#sources.delete(source) };
  }

  async #complete(params: CompleteParams, context: Context): Promise<object> {
    const { ref, argument } = params;
    // Ignored in revisions that do not define this member, because they have no type to validate it against.
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

  #completersOf(ref: CompletionReference, context: Context): Completers<Context> | undefined {
    for (const source of this.#sources) {
      const completers = source(ref, context);
      if (completers) return completers === "hidden" ? undefined : completers;
    }
    return undefined;
  }
}

interface CompleteParams {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
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
