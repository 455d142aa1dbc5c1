import {
  INTERNAL_ERROR,
  type Revision,
  RpcError,
  SharedError,
  type Trace,
  hasToolTurns,
  namesCapability,
  within,
} from "../wire/index.js";
import type { AnyHandler, Feature, HandlerContext, RequestHandler } from "../api/index.js";
import { invalidParams, summarize } from "../engine/index.js";

/** The members that conversation messages have in all revisions. */
export interface ConversationMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The members that the parameters of `sampling/createMessage` have in all revisions. */
export interface SamplingRequest {
  readonly messages: readonly ConversationMessage[];
  /** The maximum number of tokens that the model may generate. */
  readonly maxTokens: number;
}

/** Thrown by a handler if the user refuses a request from a server. The server receives it as an error response. */
export class UserRejectedError extends SharedError {
  static override readonly errorName: string = "UserRejectedError";

  constructor(message = "The user rejected the request") {
    super(message);
  }
}

export interface SamplingOptions {
  /** True to allow servers to pass tools to the model, in revisions that support this. Default: false. */
  readonly tools?: boolean | undefined;
  /** True to allow servers to request the context of MCP servers, in revisions that support this. Default: false. */
  readonly context?: boolean | undefined;
}

/**
 * Lets servers request messages from the client's model. Pass it in the `features` option (MCP: sampling). The handler
 * must allow the user to review, change or refuse the request; if they refuse, it throws a {@link UserRejectedError}.
 *
 * @typeParam Params - the revision's `CreateMessageRequestParams`
 * @typeParam Result - the revision's `CreateMessageResult`
 * @typeParam Context - the handlers' context parameter: the revision's `ClientContext`
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
