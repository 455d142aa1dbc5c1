import type { HandlerContext } from "../api/index.js";
import type { Completers } from "./completions/completers.js";
import type { Flat, Literal } from "./from-schema.js";

/** The members that prompts have in all revisions. */
export interface PromptDefinition {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** The members that the parameters of `prompts/get` have in all revisions. */
export interface PromptCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

/**
 * Handles a prompt. If it throws an `RpcError`, the client receives that error. For any other error, the client
 * receives -32603 without details, and `onerror` receives the details.
 *
 * @param args - the arguments, including all required ones; their values are as the user typed them
 */
export type PromptHandler<Result, Context = HandlerContext, Values = Record<string, string>> = (
  args: Values,
  context: Context,
  params: PromptCall,
) => Result | Promise<Result>;

/** The type of the arguments that a revision's prompts have. */
export type PromptArguments<Prompt extends PromptDefinition> = Literal<
  NonNullable<Prompt["arguments"]>
>;

/** A prompt definition whose arguments' literal types are known to the compiler. */
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

/** The type of the argument values. Only the values of required arguments are always present. */
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

/** The options of one prompt. */
export interface PromptOptions<Context> {
  /** Suggestions for arguments, by name. They need the `completions` option of `Prompts`. */
  readonly complete?: Completers<Context> | undefined;
}
