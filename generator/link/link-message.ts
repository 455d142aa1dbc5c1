import { capabilityOf } from "./capability.js";
import { declaring } from "./capability-path.js";
import { conditionsOf } from "./conditions.js";
import type { LinkContext } from "./context.js";
import type { Direction } from "./direction.js";
import type { Message } from "./messages.js";
import { pair } from "./pair.js";
import { paramsOf } from "./params.js";
import type { Envelope, Method, Result } from "./protocol.js";
import { roleOf } from "./roles.js";
import type { LinkedMessage } from "./traits.js";

/** A message with an unknown sender, which was reported, is processed further, so that the rest of it is checked. */
const ASSUMED: Direction = { from: "client", channel: "wire" };

/** All information of a protocol about one message. */
export function linkMessage(
  message: Message,
  senders: ReadonlyMap<Message, Direction>,
  envelope: Envelope,
  context: LinkContext,
): LinkedMessage {
  const direction = senders.get(message) ?? ASSUMED;
  const { kind, method, declaration, base } = message;
  const isRequest = kind === "request";
  const role = roleOf(declaration.name);
  const params = paramsOf(message, context);
  const result = isRequest ? pair(message, context) : undefined;
  const capability = capabilityOf(message, direction, envelope, context);
  const linked: Method = {
    method,
    kind,
    type: declaration.name,
    base,
    ...direction,
    ...(role && { role }),
    ...(params && { params }),
    ...(result && { result }),
    ...(capability && { capability }),
    ...(capability && isRequest && { declares: declaring(capability, envelope, context) }),
    conditions: conditionsOf(message, envelope, context),
    paginated: isPaginated(message, result, context),
    cacheable: result !== undefined && hasMembers(result.type, ["ttlMs", "cacheScope"], context),
    deprecated: declaration.doc?.tags.some(({ name }) => name === "deprecated") ?? false,
  };
  return { message, method: linked };
}

function isPaginated(message: Message, result: Result | undefined, context: LinkContext): boolean {
  if (!result || !hasMembers(result.type, ["nextCursor"], context)) return false;
  const params = message.shape.members.get("params")?.types ?? [];
  return params.some(({ type }) => context.shapes.of(type)?.members.has("cursor"));
}

function hasMembers(name: string, members: readonly string[], context: LinkContext): boolean {
  const shape = context.shapes.named(name);
  return members.every((member) => shape?.members.has(member));
}
