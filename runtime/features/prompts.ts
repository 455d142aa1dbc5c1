import type { Feature, FeatureHost } from "../feature.js";
import { RpcError } from "../errors.js";
import type { AnyHandler, HandlerContext } from "../handlers.js";
import { INVALID_PARAMS, quote } from "../jsonrpc.js";
import { Announcement } from "./announcement.js";
import { Listing, type PagingOptions } from "./listing.js";
import { type Registered, type Registration, Registry } from "./registry.js";

/** What the prompts of all revisions have in common. */
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
export type PromptHandler<Result, Context = HandlerContext> = (
  args: Record<string, string>,
  context: Context,
  params: PromptCall,
) => Result | Promise<Result>;

export interface PromptsOptions extends PagingOptions {}

/**
 * The prompts of a server: lists them, checks their arguments, and renders them. Pass it with the option `features`
 * (MCP: prompts).
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
    "prompts/list": (params) => this.#listing.answer(this.#registry.definitions, params),
    "prompts/get": (params, context) => this.#get(params as PromptCall, context as Context),
  };
  readonly #listing: Listing<Prompt>;
  readonly #changed = new Announcement("notifications/prompts/list_changed");
  readonly #registry: Registry<Prompt, PromptHandler<Result, Context>>;

  /** @throws TypeError for a page size that is none */
  constructor(options: PromptsOptions = {}) {
    this.#listing = new Listing({
      ...options,
      method: "prompts/list",
      member: "prompts",
      keyOf: ({ name }) => name,
    });
    this.#registry = new Registry({
      what: "prompt",
      keyOf: ({ name }) => name,
      onchange: this.#changed.make,
    });
  }

  /** The prompts that are listed, in the order in which they were added. A new array whenever they change. */
  get definitions(): readonly Prompt[] {
    return this.#registry.definitions;
  }

  attach(host: FeatureHost): void {
    this.#changed.attach(host);
  }

  /** @throws TypeError when there is a prompt of that name already */
  add(
    prompt: Prompt,
    handler: PromptHandler<Result, Context>,
  ): Registration<Prompt, PromptHandler<Result, Context>> {
    return this.#registry.add(prompt, handler);
  }

  #get(params: PromptCall, context: Context): Result | Promise<Result> {
    const { definition, behaviour } = this.#find(params.name);
    const args = params.arguments ?? {};
    for (const { name, required } of definition.arguments ?? []) {
      if (required !== true || Object.hasOwn(args, name)) continue;
      const problem = `the prompt ${quote(params.name)} needs the argument ${quote(name)}`;
      throw new RpcError(INVALID_PARAMS, `Invalid params: ${problem}`);
    }
    return behaviour(args, context, params);
  }

  #find(name: string): Registered<Prompt, PromptHandler<Result, Context>> {
    const prompt = this.#registry.get(name);
    if (prompt) return prompt;
    const known = "ask prompts/list for those that there are";
    throw new RpcError(INVALID_PARAMS, `Invalid params: unknown prompt ${quote(name)}: ${known}`);
  }
}
