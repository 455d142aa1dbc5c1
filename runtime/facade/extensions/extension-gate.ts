import type { AnySendMiddleware, CustomMessage, Send, Sending, Session } from "../../api/index.js";
import type { DescribedExtension } from "./extension-types.js";
import { undeclared } from "../../engine/index.js";
import { declaredSettings } from "../../rules/index.js";
import { type Method, type ProtocolExtension, quote } from "../../wire/index.js";

/**
 * Creates middleware that throws a CapabilityError for messages of extensions that the peer has not declared (MCP:
 * extensions). A message that the revision itself defines under the same name is still sent.
 *
 * @param owners - extension ids, by the methods of their messages
 */
export function extensionGate(
  owners: ReadonlyMap<string, string>,
  peer: "client" | "server",
): AnySendMiddleware {
  const concerns = ({ method }: Method, { revision }: Session): boolean => {
    const row = revision.methods.get(method);
    return owners.has(method) && (row === undefined || row.extension !== undefined);
  };
  const refuse = ({ method, session }: Sending, send: Send): unknown => {
    const id = owners.get(method)!;
    if (declaredSettings(session, id)) return send();
    throw undeclared(method, `${peer}.extensions.${id}`);
  };
  return Object.assign(refuse, { concerns });
}

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

export function protocolOf(extension: DescribedExtension): ProtocolExtension {
  const { id, trait, alternatives, joins } = extension;
  const rows = [...messagesOf(extension).values()].map(({ row }) => row);
  return { id, trait, rows, alternatives, joins };
}

/** An extension id with a prefix, in the notation of `_meta` keys (MCP: extensions). */
const ID =
  /^[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/[a-z\d](?:[\w.-]*[a-z\d])?$/i;

export function assertExtensionId(id: unknown): asserts id is string {
  if (typeof id === "string" && ID.test(id)) return;
  throw new TypeError(
    `${quote(String(id))} is not the id of an extension: it needs a prefix, as in "com.example/maps"`,
  );
}
