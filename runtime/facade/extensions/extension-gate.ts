import type { AnySendMiddleware, CustomMessage, Send, Sending, Session } from "../../api/index.js";
import { undeclared } from "../../engine/index.js";
import { type Method, isObject } from "../../wire/index.js";

/** Settings that the peer has declared for an extension; undefined when it has not declared it. */
export function declaredSettings(
  { peer }: Session,
  id: string,
): Readonly<Record<string, unknown>> | undefined {
  const { extensions } = peer.capabilities;
  const settings =
    isObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
  return isObject(settings) ? settings : undefined;
}

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
  const concerns = ({ method }: Method, { revision }: Session): boolean =>
    owners.has(method) && !revision.methods.has(method);
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
