import type { TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Envelope, JsonObject } from "./protocol.js";

/** Party that must have declared a capability: a fixed side, or the receiver or sender of the message. */
export type Owner = "client" | "server" | "receiver" | "sender";

/** Capability types in which a path with this owner must resolve. */
function capabilityTypes(owner: string, envelope: Envelope): string[] {
  if (owner === "client") return [envelope.clientCapabilities];
  if (owner === "server") return [envelope.serverCapabilities];
  if (owner !== "receiver" && owner !== "sender") return [];
  return [envelope.clientCapabilities, envelope.serverCapabilities];
}

/** True if a path such as `server.resources.subscribe` leads to a declared capability. */
export function resolves(path: string, envelope: Envelope, context: LinkContext): boolean {
  const [owner, ...keys] = path.split(".");
  const types = capabilityTypes(owner!, envelope);
  return (
    keys.length > 0 &&
    types.length > 0 &&
    types.every((name) => typeAt(name, keys, context) !== undefined)
  );
}

/** Builds the smallest declaration that satisfies the path: a boolean leaf becomes `true`, an object empty. */
export function declaring(path: string, envelope: Envelope, context: LinkContext): JsonObject {
  const [owner, ...keys] = path.split(".");
  const leaf = typeAt(capabilityTypes(owner!, envelope)[0]!, keys, context);
  const value = leaf?.kind === "keyword" && leaf.name === "boolean" ? true : {};
  return keys.reduceRight<JsonObject | true>(
    (inner, key) => ({ [key]: inner }),
    value,
  ) as JsonObject;
}

function typeAt(
  name: string,
  keys: readonly string[],
  context: LinkContext,
): TypeExpression | undefined {
  let shape = context.shapes.named(name);
  let type: TypeExpression | undefined;
  for (const key of keys) {
    type = shape?.members.get(key)?.types[0]?.type;
    shape = type && context.shapes.of(type);
  }
  return type;
}
