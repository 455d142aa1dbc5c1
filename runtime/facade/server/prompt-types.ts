import type { InputRequired } from "../../api/index.js";
import type { ArgumentValues, Completers } from "../../features/index.js";
import type { MembersOf } from "../../ground/index.js";
import type { GivenResult, Item, NeutralTypes, QuestionsOf } from "../neutral-types.js";
import type { AskingContext, ServerContext } from "./context-types.js";
import type { AccessConfig, Handle } from "./registration.js";
import type { AnySchema, SchemaOutput } from "./schema-types.js";

type PromptOf<Types extends NeutralTypes> = Item<Types, "prompts/list", "prompts">;

type PromptMessageOf<Types extends NeutralTypes> = Item<Types, "prompts/get", "messages">;

/** The configuration of a prompt, without its name. */
export type PromptConfig<
  Types extends NeutralTypes,
  Args extends AnySchema | undefined,
  Listed extends ArgumentsOf<Types> | undefined = undefined,
> = Partial<Omit<MembersOf<PromptOf<Types>>, "name" | "arguments">> &
  AccessConfig<Types> & {
    /** The schema of an object whose members are the arguments. Clients send them as strings. */
    readonly argsSchema?: Args;
    /** The arguments as clients list them, instead of an `argsSchema`. All values are strings. */
    readonly arguments?: Listed;
    /** Suggestions for arguments, by name; `completable` attaches them to a schema. */
    readonly complete?: Completers<ServerContext<Types>> | undefined;
  };

/**
 * Handles a prompt. If it throws an `RpcError`, the client receives that error. For any other error, the client
 * receives -32603 without details, and `onerror` receives the details.
 */
export type PromptCallback<
  Types extends NeutralTypes,
  Args extends AnySchema | undefined,
  Listed extends ArgumentsOf<Types> | undefined = undefined,
> = Args extends AnySchema
  ? (
      args: SchemaOutput<Args>,
      ctx: AskingContext<Types>,
    ) => PromptOutcome<Types> | Promise<PromptOutcome<Types>>
  : Listed extends ArgumentsOf<Types>
    ? (
        args: ArgumentValues<Listed>,
        ctx: AskingContext<Types>,
      ) => PromptOutcome<Types> | Promise<PromptOutcome<Types>>
    : HandlerWithoutArgsSchema<Types>;

/** A handler for a prompt with neither an `argsSchema` nor `arguments`. It receives only the context. */
export type HandlerWithoutArgsSchema<Types extends NeutralTypes> = (
  ctx: AskingContext<Types>,
) => PromptOutcome<Types> | Promise<PromptOutcome<Types>>;

/** A prompt's arguments, as clients list them. */
export type ArgumentsOf<Types extends NeutralTypes> = readonly ArgumentOf<PromptOf<Types>>[];

type ArgumentOf<Prompt> = Prompt extends { readonly arguments?: infer List }
  ? NonNullable<List> extends readonly (infer One)[]
    ? One
    : never
  : never;

/** The result of a prompt handler: text in the user role, messages, or a whole result. */
export type PromptOutcome<Types extends NeutralTypes> =
  | string
  | readonly MessageOutcome<Types>[]
  | (Omit<GivenResult<Types, "prompts/get", "messages">, "messages"> & {
      readonly messages: readonly MessageOutcome<Types>[];
    })
  | InputRequired
  | QuestionsOf<Types, "prompts/get">;

/** A message whose content may simply be a string. */
export interface MessageOutcome<Types extends NeutralTypes> {
  readonly role: Member<PromptMessageOf<Types>, "role">;
  readonly content: string | Member<PromptMessageOf<Types>, "content">;
}

type Member<Type, Name> = Name extends keyof Type ? Type[Name] : never;

/** The handle of a registered prompt. A removed prompt cannot be added again through it. */
export interface PromptHandle<Types extends NeutralTypes> extends Handle<PromptOf<Types>> {
  readonly name: string;
  /**
   * Replaces properties of the configuration.
   *
   * @throws TypeError as `registerPrompt` does, in which case nothing changes
   */
  update<
    const Args extends AnySchema | undefined = undefined,
    const Listed extends ArgumentsOf<Types> | undefined = undefined,
  >(
    changes: PromptConfig<Types, Args, Listed> & {
      readonly name?: string;
      readonly enabled?: boolean;
      readonly handler?: PromptCallback<Types, Args, Listed>;
    },
  ): void;
}
