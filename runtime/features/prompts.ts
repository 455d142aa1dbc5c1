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
import type { Flat, Literal } from "./from-schema.js";
import type { Family, PagingOptions, Registration } from "./registry-types.js";
import { Registry } from "./registry.js";

/** Members that prompts have at all revisions. */
export interface PromptDefinition {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** Members that the parameters of `prompts/get` have at all revisions. */
export interface PromptCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

/**
 * Handler of a prompt. An `RpcError` that it throws is the answer; anything else reaches the client as -32603 without
 * details, and `onerror` with them.
 *
 * @param args - including all required ones; values are as the user typed them
 */
export type PromptHandler<Result, Context = HandlerContext, Values = Record<string, string>> = (
  args: Values,
  context: Context,
  params: PromptCall,
) => Result | Promise<Result>;

/** Type of the arguments of a revision's prompts. */
export type PromptArguments<Prompt extends PromptDefinition> = Literal<
  NonNullable<Prompt["arguments"]>
>;

/** A definition of a prompt whose arguments the compiler knows literally. */
export type TypedPrompt<Prompt extends PromptDefinition, Arguments> = Literal<
  Omit<Prompt, "arguments">
> & {
  readonly name: string;
  readonly arguments?: (Arguments & KnownArguments<Arguments, PromptArguments<Prompt>>) | undefined;
};

/** Forbids members that an argument does not have. */
type KnownArguments<Arguments, Of> = Of extends readonly (infer Argument)[]
  ? {
      readonly [Index in keyof Arguments]: {
        readonly [Name in Exclude<keyof Arguments[Index], keyof Argument>]: never;
      };
    }
  : never;

/** Type of the values of arguments; only those of required ones are always present. */
export type ArgumentValues<Arguments> = Arguments extends readonly (infer Argument)[]
  ? string extends NameOf<Argument>
    ? Record<string, string>
    : Flat<
        { [Name in NameOf<Extract<Argument, { readonly required: true }>>]: string } & {
          [Name in NameOf<Argument>]?: string;
        }
      >
  : Record<string, string>;

type NameOf<Argument> = Argument extends { readonly name: infer Name extends string }
  ? Name
  : never;

/** Options of one prompt. */
export interface PromptOptions<Context> {
  /** Suggestions for arguments, by name; they need the option `completions` of `Prompts`. */
  readonly complete?: Completers<Context> | undefined;
}

export interface PromptsOptions<Context = HandlerContext> extends PagingOptions {
  /** Feature that serves the completers of prompts and knows their arguments. */
  readonly completions?: CompletionsOf<Context> | undefined;
}

/** Family of the prompts. */
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

  /** @throws TypeError if the page size is invalid */
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

  /** The prompts that are listed, in the order in which they were added. A new array whenever they change. */
  get definitions(): readonly Prompt[] {
    return this.#registry.definitions;
  }

  attach(host: FeatureHost): void {
    assertServed(this.#options.completions, host);
    this.#registry.attach(host);
  }

  /**
   * Adds a prompt.
   * @throws TypeError if there is one of that name already, the handler is not a function, or there are completers for
   *   arguments that it does not have
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
