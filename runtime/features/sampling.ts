import {
  INTERNAL_ERROR,
  type Revision,
  RpcError,
  type Trace,
  hasToolTurns,
  namesCapability,
  within,
} from "../wire/index.js";
import type { AnyHandler, Feature, HandlerContext, RequestHandler } from "../api/index.js";
import { invalidParams, summarize } from "../engine/index.js";
import { UserRejectedError } from "./user-rejected-error.js";

/** A message of a conversation, as far as it matters here. */
export interface ConversationMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The parameters of `sampling/createMessage`, as far as all revisions have them. */
export interface SamplingRequest {
  readonly messages: readonly ConversationMessage[];
  /** The model may use less, never more. */
  readonly maxTokens: number;
}

export interface SamplingOptions {
  /** Lets servers pass tools to the model, where the revision has that. Default: false. */
  readonly tools?: boolean | undefined;
  /** Lets servers ask for context of MCP servers to be included, where the revision has that. Default: false. */
  readonly context?: boolean | undefined;
}

/**
 * Lends the client's model to servers. Pass it with the option `features` (MCP: sampling). The handler is where the
 * user gets to see, change and refuse what is asked; it throws a {@link UserRejectedError} when they refuse.
 *
 * @typeParam Params - `CreateMessageRequestParams` of the revision
 * @typeParam Result - `CreateMessageResult` of the revision
 * @typeParam Context - what handlers get: `ClientContext` of the revision
 */
export class Sampling<
  Params extends SamplingRequest = SamplingRequest,
  Result = object,
  Context = HandlerContext,
> implements Feature {
  readonly capabilities: (revision: Revision) => object;
  readonly handlers: Readonly<Record<string, AnyHandler>>;

  constructor(handler: RequestHandler<Params, Result, Context>, options: SamplingOptions = {}) {
    this.capabilities = (revision) => ({ sampling: declared(revision, options) });
    this.handlers = {
      "sampling/createMessage": async (params, context) => {
        const issues: Trace = [];
        within(issues, params as Record<string, unknown>, "messages", (messages) =>
          hasToolTurns(messages, issues),
        );
        if (issues.length > 0) throw invalidParams(summarize(issues));
        try {
          return await handler(params as Params, context as Context);
        } catch (error) {
          throw error instanceof UserRejectedError ? rejection(error, context) : error;
        }
      },
    };
  }
}

function declared(revision: Revision, options: SamplingOptions): object {
  const members = (["tools", "context"] as const).filter(
    (member) => options[member] && namesCapability(revision, `client.sampling.${member}`),
  );
  return Object.fromEntries(members.map((member) => [member, {}]));
}

function rejection({ message }: UserRejectedError, { session }: HandlerContext): RpcError {
  const code = session.revision.errorCodes["USER_REJECTED"] ?? INTERNAL_ERROR;
  return new RpcError(code, message);
}
