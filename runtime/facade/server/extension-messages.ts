import { extensionRequired } from "../../rules/index.js";
import type { CustomHandler, CustomMessage, HandlerContext } from "../../api/index.js";
import { METHOD_NOT_FOUND, type Revision, RpcError, quote } from "../../wire/index.js";
import type { DescribedExtension, ExtensionOptions } from "../extensions/extension-types.js";
import { messagesOf } from "../extensions/extension-gate.js";
import type { MakeContext } from "./facade-context.js";

export interface ExtensionHost {
  readonly contextOf: MakeContext;
  readonly hasExtension: (id: string, revision: Revision) => boolean;
}

type Handler = (params: unknown, context: HandlerContext) => unknown;

/**
 * Returns an extension's messages with their handlers. The handlers serve only clients that have declared the
 * extension, unless only servers declare it.
 */
export function extensionMessages(
  extension: DescribedExtension,
  { handlers = {} }: ExtensionOptions,
  host: ExtensionHost,
): CustomHandler[] {
  const { id } = extension;
  const messages = messagesOf(extension);
  return Object.entries(handlers).map(([method, handler]) => {
    const message = messages.get(method);
    if (message === undefined || message.row.from === "server") {
      throw new TypeError(
        `${quote(method)} is not a message of the extension ${quote(id)} to a server`,
      );
    }
    const call = handler as (params: unknown, ctx: object) => unknown;
    const handle: Handler = (params, context) => call(params, host.contextOf(context));
    return extension.declaredBy === "server"
      ? { row: message.row, yields: true, handler: handle }
      : gated(id, message, handle, host);
  });
}

function gated(
  id: string,
  { row }: CustomMessage,
  handler: Handler,
  { contextOf, hasExtension }: ExtensionHost,
): CustomHandler {
  return {
    row,
    yields: true,
    handler: (params, context) => {
      if (contextOf(context).extension(id)) return handler(params, context);
      if (row.kind === "request") {
        if (!hasExtension(id, context.session.revision)) {
          throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${quote(row.method)}`);
        }
        throw extensionRequired(quote(row.method), id, context.session.revision);
      }
      return undefined;
    },
  };
}
