import type { AnySendMiddleware, CustomMessage, Send, Sending, Session } from "../../api/index.js";
import type { DescribedExtension } from "../server/extension-types.js";
import { undeclared } from "../../engine/index.js";
import { declaredSettings } from "../../rules/index.js";
import type { Method, ProtocolExtension } from "../../wire/index.js";

/**
 * Keeps back messages of extensions that the peer has not declared (MCP: extensions): sending one rejects with a
 * CapabilityError. Where the revision has a message of the same name, that is what is sent.
 *
 * @param owners - ids of extensions by the methods of their messages
 */
export function extensionGate(
  owners: ReadonlyMap<string, string>,
  peer: "client" | "server",
): AnySendMiddleware {
  const concerns = ({ method }: Method, { revision }: Session): boolean => {
    const row = revision.methods.get(method);
    return owners.has(method) && (row === undefined || row.extension !== undefined);
  };
  const keepBack = ({ method, session }: Sending, send: Send): unknown => {
    const id = owners.get(method)!;
    if (declaredSettings(session, id)) return send();
    throw undeclared(method, `${peer}.extensions.${id}`);
  };
  return Object.assign(keepBack, { concerns });
}

/** The messages of an extension by method. */
export function messagesOf({
  requests = {},
  notifications = {},
}: {
  readonly requests?: Readonly<Record<string, CustomMessage>> | undefined;
  readonly notifications?: Readonly<Record<string, CustomMessage>> | undefined;
}): Map<string, CustomMessage> {
  const all = [...Object.values(requests), ...Object.values(notifications)];
  return new Map(all.map((message) => [message.row.method, message]));
}

/** Parts that an extension adds to the revisions. */
export function protocolOf(extension: DescribedExtension): ProtocolExtension {
  const { id, alternatives, joins } = extension;
  const rows = [...messagesOf(extension).values()].map(({ row }) => row);
  return { id, rows, alternatives, joins };
}
