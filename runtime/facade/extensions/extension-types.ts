import type { CustomNotification, CustomRequest, Feature, GivenResult } from "../../api/index.js";
import type { ProtocolExtension } from "../../wire/index.js";
import type { ServerContext } from "../server/context-types.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";

/** An extension with its messages by method. Each message is created by `customRequest` or `customNotification`. */
export interface DescribedExtension {
  readonly id: string;
  /**
   * `server` if only servers declare the extension, in which case messages from every client are accepted. Default:
   * both sides declare it.
   */
  readonly declaredBy?: "server" | undefined;
  /** The trait that a revision must have to support the extension. Default: all revisions support it. */
  readonly trait?: ProtocolExtension["trait"];
  /** The checks for results that may replace those of the revision: by method, then by their `resultType`. */
  readonly alternatives?: ProtocolExtension["alternatives"];
  /** Members that the extension adds to an object in the parameters of the revision's own messages, by method. */
  readonly joins?: ProtocolExtension["joins"];
  readonly requests?: Readonly<Record<string, AnyRequest>> | undefined;
  readonly notifications?: Readonly<Record<string, AnyNotification>> | undefined;
}

export interface ServerExtension extends DescribedExtension {
  /** The settings that clients receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly handlers?: Readonly<Record<string, (params: never, ctx: never) => unknown>> | undefined;
  readonly features?: readonly Feature[] | undefined;
}

/** Server options for an extension that describes its messages. */
export interface ExtensionOptions<
  Types extends NeutralTypes = AnyTypes,
  Described extends DescribedExtension = DescribedExtension,
> {
  /** The settings that clients receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Handlers for requests and notifications, by method. Messages without a handler are those that the server sends. */
  readonly handlers?: DescribedHandlers<Types, Described>;
}

type DescribedHandlers<Types extends NeutralTypes, Described extends DescribedExtension> = {
  readonly [
    Method in keyof Described["requests"] | keyof Described["notifications"]
  ]?: Method extends keyof Described["requests"]
    ? RequestReaction<Types, Described["requests"][Method]>
    : Method extends keyof Described["notifications"]
      ? NotificationReaction<Types, Described["notifications"][Method]>
      : never;
};

type RequestReaction<Types extends NeutralTypes, Message> =
  Message extends CustomRequest<infer Params, infer Result>
    ? (
        params: Params,
        ctx: ServerContext<Types>,
      ) => GivenResult<Result> | Promise<GivenResult<Result>>
    : never;

type NotificationReaction<Types extends NeutralTypes, Message> =
  Message extends CustomNotification<infer Params>
    ? (params: Params, ctx: ServerContext<Types>) => void | Promise<void>
    : never;

// oxlint-disable-next-line typescript/no-explicit-any
type AnyRequest = CustomRequest<any, any>;
// oxlint-disable-next-line typescript/no-explicit-any
type AnyNotification = CustomNotification<any>;
