import { invalidParams, summarize } from "../../engine/index.js";
import { extensionRequired } from "../../rules/index.js";
import {
  type CustomHandler,
  type CustomMessage,
  type HandlerContext,
  customNotification,
  customRequest,
} from "../../api/index.js";
import { METHOD_NOT_FOUND, type Revision, RpcError, quote } from "../../wire/index.js";
import type { Schemas } from "../../features/index.js";
import { checkOf } from "../../features/server/index.js";
import type {
  DescribedExtension,
  Extension,
  ExtensionMessage,
  ExtensionOptions,
} from "../extensions/extension-types.js";
import { messagesOf } from "../extensions/extension-gate.js";
import type { MakeContext } from "./facade-context.js";
import type { AnyTypes } from "../neutral-types.js";
import { readSchema } from "./schemas.js";
import type { AnySchema } from "./schema-types.js";

/** Operations of the server that messages of extensions need. */
export interface ExtensionHost {
  readonly contextOf: MakeContext;
  readonly schemas: Schemas;
  readonly hasExtension: (id: string, revision: Revision) => boolean;
}

type Handler = (params: unknown, context: HandlerContext) => unknown;
type AnyMessage = ExtensionMessage<AnyTypes, AnySchema | undefined>;

/**
 * The messages of an extension, for clients that have declared it.
 * @throws TypeError if a schema is invalid
 */
export function extensionMessages(
  id: string,
  { requests = {}, notifications = {} }: Extension,
  host: ExtensionHost,
): CustomHandler[] {
  return [
    ...Object.entries(requests).map(([method, message]) =>
      gated(id, customRequest<unknown>(method), checked(method, message, host), host),
    ),
    ...Object.entries(notifications).map(([method, message]) =>
      gated(id, customNotification<unknown>(method), checked(method, message, host), host),
    ),
  ];
}

/**
 * The messages of an extension that describes them itself.
 * @throws TypeError for a handler of a message that it does not have
 */
export function describedMessages(
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

/** Admits only messages from clients that have declared the extension. */
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

function checked(
  method: string,
  { params: schema, handler }: AnyMessage,
  { contextOf, schemas }: ExtensionHost,
): Handler {
  const whose = `the parameters of ${quote(method)}`;
  const read = schema && readSchema(schema, "input", whose);
  const check = read && !read.parse ? checkOf(read.json, schemas, whose) : undefined;
  return async (params, context) => {
    const parsing = (await read?.parse?.(params ?? {})) ?? { value: params };
    if ("problem" in parsing) throw invalidParams(parsing.problem);
    const issues = await check?.(params ?? {});
    if (issues) throw invalidParams(summarize(issues));
    return (await handler(parsing.value, contextOf(context))) ?? {};
  };
}
