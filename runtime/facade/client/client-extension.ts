import type { CustomHandler, Feature, HandlerContext } from "../../api/index.js";
import {
  METHOD_NOT_FOUND,
  type ProtocolExtension,
  type Revision,
  RpcError,
  canExtend,
  quote,
} from "../../wire/index.js";
import { declaredSettings } from "../../rules/index.js";
import {
  assertExtensionId,
  extensionGate,
  messagesOf,
  protocolOf,
} from "../extensions/extension-gate.js";
import type { ClientExtension } from "./client-options.js";

export interface ExtensionParts {
  readonly protocols: readonly ProtocolExtension[];
  readonly features: readonly Feature[];
  readonly custom: readonly CustomHandler[];
}

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
  return {
    protocols: extensions.map(protocolOf),
    features: [
      { handlers: {}, capabilities, sending },
      ...extensions.flatMap((extension) => extension.features ?? []),
    ],
    custom: extensions.flatMap(handled),
  };
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
