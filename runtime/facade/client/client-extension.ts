import type {
  CustomHandler,
  CustomNotification,
  CustomRequest,
  Feature,
  GivenResult,
  HandlerContext,
} from "../../api/index.js";
import { METHOD_NOT_FOUND, type Revision, RpcError, canExtend, quote } from "../../wire/index.js";
import { declaredSettings } from "../../rules/index.js";
import { assertExtensionId, extensionGate, messagesOf } from "../extensions/extension-gate.js";
import type { DescribedExtension } from "../extensions/extension-types.js";

/** Extension that a client declares; `onExtension` adds the client's handlers and settings. */
export interface ClientExtension extends DescribedExtension {
  /** Settings that servers receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Handlers for messages of servers that also declare it, by method. */
  readonly handlers?: object | undefined;
  /** Features that it adds to the client. */
  readonly features?: readonly Feature[] | undefined;
}

export interface ClientExtensionOptions<Described extends DescribedExtension> {
  /** Settings that servers receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Handlers for requests and notifications, by method. */
  readonly handlers?: ClientHandlers<Described>;
}

type ClientHandlers<Described extends DescribedExtension> = {
  readonly [
    Method in keyof Described["requests"] | keyof Described["notifications"]
  ]?: Method extends keyof Described["requests"]
    ? Answer<Described["requests"][Method]>
    : Method extends keyof Described["notifications"]
      ? Reaction<Described["notifications"][Method]>
      : never;
};

type Answer<Message> =
  Message extends CustomRequest<infer Params, infer Result>
    ? (
        params: Params,
        context: HandlerContext,
      ) => GivenResult<Result> | Promise<GivenResult<Result>>
    : never;

type Reaction<Message> =
  Message extends CustomNotification<infer Params>
    ? (params: Params, context: HandlerContext) => void | Promise<void>
    : never;

/**
 * Combines an extension with the client's handlers and settings, for the option `extensions` of
 * `connect`.
 */
export function onExtension<Described extends DescribedExtension>(
  extension: Described,
  options: ClientExtensionOptions<Described>,
): ClientExtension {
  return { ...extension, ...options };
}

/** Parts that extensions contribute to the underlying client. */
export interface ExtensionParts {
  readonly feature: Feature;
  readonly custom: readonly CustomHandler[];
}

/**
 * @throws TypeError for invalid or duplicate ids, and for handlers of messages that a client cannot
 *   receive
 */
export function extensionParts(extensions: readonly ClientExtension[]): ExtensionParts {
  const settings = new Map<string, unknown>();
  const owners = new Map<string, string>();
  for (const extension of extensions) {
    const { id } = extension;
    assertExtensionId(id);
    if (settings.has(id)) throw new TypeError(`The extension ${id} is listed twice`);
    settings.set(id, extension.settings ?? {});
    for (const method of messagesOf(extension).keys()) owners.set(method, id);
  }
  const capabilities = (revision: Revision): object => {
    const declared = extensions.filter((extension) => canExtend(extension, revision));
    const entries = declared.map(({ id }) => [id, settings.get(id)] as const);
    return entries.length > 0 ? { extensions: Object.fromEntries(entries) } : {};
  };
  const sending = owners.size > 0 ? [extensionGate(owners, "server")] : [];
  return { feature: { handlers: {}, capabilities, sending }, custom: extensions.flatMap(handled) };
}

function handled(extension: ClientExtension): CustomHandler[] {
  const { id, handlers = {} } = extension;
  const messages = messagesOf(extension);
  return Object.entries(handlers).map(([method, handler]): CustomHandler => {
    const row = messages.get(method)?.row;
    if (row === undefined || row.from === "client") {
      throw new TypeError(
        `${quote(method)} is not a message of the extension ${quote(id)} to a client`,
      );
    }
    const call = handler as (params: unknown, context: HandlerContext) => unknown;
    return {
      row,
      yields: true,
      handler: (params, context) => {
        if (declaredSettings(context.session, id)) return call(params, context);
        if (row.kind === "request") throw new RpcError(METHOD_NOT_FOUND, "Method not found");
        return undefined;
      },
    };
  });
}
