import type { AnyHandler, Feature, FeatureHost, HandlerContext } from "../api/index.js";
import { INVALID_PARAMS, RpcError, quote } from "../wire/index.js";
import { Announcement } from "./announcement.js";
import { DefinitionCheck } from "./definition-check.js";
import type { Flat, Literal } from "./from-schema.js";
import { Listing, type ListResult, type PagingOptions } from "./listing.js";
import { type RegistryEntry, type Registration, Registry } from "./registry.js";

/** Members that the prompts of all revisions have in common. */
export interface PromptDefinition {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** The parameters of `prompts/get`, as far as all revisions have them. */
export interface PromptCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

/**
 * Renders a prompt. An `RpcError` that it throws is the answer; anything else reaches the client as -32603 without
 * details, and `onerror` with them.
 *
 * @param args - the required ones are there; values are as the user typed them
 */
export type PromptHandler<Result, Context = HandlerContext, Values = Record<string, string>> = (
  args: Values,
  context: Context,
  params: PromptCall,
) => Result | Promise<Result>;

/** The arguments that prompts of a revision have. */
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

/** The values of arguments: those of required ones are there. */
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

export interface PromptsOptions extends PagingOptions {}

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
 * @typeParam Prompt - how the revision defines a prompt
 * @typeParam Result - `GetPromptResult` of the revision
 * @typeParam Context - what handlers get: `ServerContext` of the revision
 */
export class Prompts<
  Prompt extends PromptDefinition = PromptDefinition,
  Result = object,
  Context = HandlerContext,
> implements Feature {
  readonly capabilities: object = { prompts: { listChanged: true } };
  readonly handlers: Readonly<Record<string, AnyHandler>> = {
    "prompts/list": (params, context) => this.#list(params, context),
    "prompts/get": (params, context) => this.#get(params as PromptCall, context),
  };
  readonly #listing: Listing<Prompt>;
  readonly #changed = new Announcement("notifications/prompts/list_changed");
  readonly #check: DefinitionCheck<Prompt>;
  readonly #registry: Registry<Prompt, PromptHandler<Result, Context>>;

  /** @throws TypeError for a page size that is none */
  constructor(options: PromptsOptions = {}) {
    const list = { method: "prompts/list", member: "prompts", keyOf: nameOf };
    this.#listing = new Listing<Prompt>({ ...options, ...list });
    this.#check = new DefinitionCheck({ ...list, what: "prompt", revisions: options.revisions });
    this.#registry = new Registry({
      what: "prompt",
      keyOf: nameOf,
      check: this.#check.assert,
      onchange: this.#changed.make,
    });
  }

  /** The prompts that are listed, in the order in which they were added. A new array whenever they change. */
  get definitions(): readonly Prompt[] {
    return this.#registry.definitions;
  }

  attach(host: FeatureHost): void {
    this.#changed.attach(host);
    this.#check.attach(host, this.#registry.all);
  }

  /** @throws TypeError when there is a prompt of that name already, and for a handler that is none */
  add<const Arguments extends PromptArguments<Prompt>>(
    prompt: TypedPrompt<Prompt, Arguments>,
    handler: PromptHandler<Result, Context, ArgumentValues<Arguments>>,
  ): Registration<Prompt, PromptHandler<Result, Context>> {
    if (typeof handler !== "function") {
      throw new TypeError(`The handler of the prompt ${quote(prompt.name)} is not a function`);
    }
    return this.#registry.add(
      prompt as unknown as Prompt,
      handler as PromptHandler<Result, Context>,
    );
  }

  /** True when the request sees a prompt of that name. */
  isVisible(name: string, context: HandlerContext): boolean {
    return this.#registry.visible(name, context) !== undefined;
  }

  #list(params: unknown, context: HandlerContext): ListResult | Promise<ListResult> {
    const registry = this.#registry;
    const definitions = registry.definitionsFor(context);
    return this.#listing.answer(definitions, params, registry.isPrivateFor(context));
  }

  #get(params: PromptCall, context: HandlerContext): Result | Promise<Result> {
    const { definition, behaviour } = this.#find(params.name, context);
    const args = params.arguments ?? {};
    for (const { name, required } of definition.arguments ?? []) {
      if (required !== true || Object.hasOwn(args, name)) continue;
      const problem = `the prompt ${quote(params.name)} needs the argument ${quote(name)}`;
      throw new RpcError(INVALID_PARAMS, `Invalid params: ${problem}`);
    }
    return behaviour(args, context as Context, params);
  }

  #find(
    name: string,
    context: HandlerContext,
  ): RegistryEntry<Prompt, PromptHandler<Result, Context>> {
    const prompt = this.#registry.use(name, context);
    if (prompt) return prompt;
    const known = "ask prompts/list for those that there are";
    throw new RpcError(INVALID_PARAMS, `Invalid params: unknown prompt ${quote(name)}: ${known}`);
  }
}

const nameOf = ({ name }: PromptDefinition): string => name;
