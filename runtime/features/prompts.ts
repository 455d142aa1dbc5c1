import type { AnyHandler, Feature, FeatureHost, HandlerContext } from "../api/index.js";
import { invalidParams } from "../engine/index.js";
import { quote } from "../wire/index.js";
import {
  assertCompletable,
  assertServed,
  type Completers,
  completersByName,
  type CompletionsOf,
} from "./completions/completers.js";
import type { Family, PagingOptions, Registration } from "./registry-types.js";
import { Registry } from "./registry.js";
import type {
  ArgumentValues,
  PromptArguments,
  PromptCall,
  PromptDefinition,
  PromptHandler,
  PromptOptions,
  TypedPrompt,
} from "./prompt-types.js";

export interface PromptsOptions<Context = HandlerContext> extends PagingOptions {
  /**
   * The feature that answers completion requests using the prompts' completers. Required if a prompt has completers.
   */
  readonly completions?: CompletionsOf<Context> | undefined;
}

export const PROMPTS: Family = {
  noun: "prompt",
  list: "prompts/list",
  name: "prompts",
  key: "name",
  changed: "notifications/prompts/list_changed",
};

/**
 * The prompts of a server: lists them, checks their arguments, and renders them. Pass it with the option `features`
 * (MCP: prompts).
 *
 * @example
 * ```ts
 * import { Server } from "@mcp-codegen/2025-11-25";
 *
 * const prompts = new Prompts();
 * prompts.add({ name: "haiku" }, () => ({
 *   messages: [{ role: "user", content: { type: "text", text: "Write a haiku" } }],
 * }));
 * const server = new Server({ name: "notes", version: "1.0.0" }, {}, { features: [prompts] });
 * ```
 *
 * @typeParam Prompt - the revision's definition of a prompt
 * @typeParam Result - `GetPromptResult` of the revision
 * @typeParam Context - parameter of handlers: `ServerContext` of the revision
 */
export class Prompts<
  Prompt extends PromptDefinition = PromptDefinition,
  Result = object,
  Context = HandlerContext,
> implements Feature {
  readonly capabilities: object = { prompts: { listChanged: true } };
  readonly handlers: Readonly<Record<string, AnyHandler>> = {
    "prompts/list": (params, context) => this.#registry.list(params, context),
    "prompts/get": (params, context) => this.#get(params as PromptCall, context),
  };
  readonly #options: PromptsOptions<Context>;
  readonly #registry: Registry<
    Prompt,
    [handler: PromptHandler<Result, Context>, options: PromptOptions<Context>],
    { readonly handler: PromptHandler<Result, Context>; readonly complete?: Completers<Context> }
  >;

  /**
   * Creates the feature.
   * @throws TypeError if the page size is invalid
   */
  constructor(options: PromptsOptions<Context> = {}) {
    this.#options = options;
    this.#registry = new Registry(PROMPTS, options, (prompt, handler, { complete }) => {
      const what = `the prompt ${quote(prompt.name)}`;
      if (typeof handler !== "function") {
        throw new TypeError(`The handler of ${what} is not a function`);
      }
      if (complete === undefined) return { handler };
      assertCompletable(what, "argument", argumentsOf(prompt), complete, options.completions);
      return { handler, complete };
    });
    options.completions?.source((reference, context) => {
      if (reference.type !== "ref/prompt") return undefined;
      const { name } = reference;
      const prompt = this.#registry.use(name, context as HandlerContext);
      return prompt
        ? completersByName(argumentsOf(prompt.definition), prompt.behaviour.complete)
        : this.#registry.has(name) && "hidden";
    });
  }

  /** The prompts that are listed, in the order in which they were added. The array is replaced, never changed. */
  get definitions(): readonly Prompt[] {
    return this.#registry.definitions;
  }

  attach(host: FeatureHost): void {
    assertServed(this.#options.completions, host);
    this.#registry.attach(host);
  }

  /**
   * Adds a prompt.
   *
   * @throws TypeError if the prompt is invalid or its name is taken, if the handler is not a function, or if there are
   *   completers for arguments that the prompt does not have
   */
  add<const Arguments extends PromptArguments<Prompt>>(
    prompt: TypedPrompt<Prompt, Arguments>,
    handler: PromptHandler<Result, Context, ArgumentValues<Arguments>>,
    options: PromptOptions<Context> = {},
  ): Registration<
    Prompt,
    [handler: PromptHandler<Result, Context>, options: PromptOptions<Context>]
  > {
    return this.#registry.add(
      prompt as unknown as Prompt,
      handler as PromptHandler<Result, Context>,
      options,
    );
  }

  #get(params: PromptCall, context: HandlerContext): Result | Promise<Result> {
    const { definition, behaviour } = this.#registry.find(params.name, context);
    const args = params.arguments ?? {};
    for (const { name, required } of definition.arguments ?? []) {
      if (required !== true || Object.hasOwn(args, name)) continue;
      throw invalidParams(`the prompt ${quote(params.name)} needs the argument ${quote(name)}`);
    }
    return behaviour.handler(args, context as Context, params);
  }
}

function argumentsOf({ arguments: list = [] }: PromptDefinition): string[] {
  return list.map(({ name }) => name);
}
