import type { TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Envelope, JsonObject, Condition } from "./protocol.js";
import { firstSegment, type Direction } from "./direction.js";
import type { Message } from "./messages.js";
import type { LinkedMessage } from "./traits.js";
import { memberTypes } from "./type-tests.js";

/** The side that must have declared a capability: a fixed side, or the receiver or sender of the message. */
export type Owner = "client" | "server" | "receiver" | "sender";

function capabilityTypes(owner: string, envelope: Envelope): string[] {
  if (owner === "client") return [envelope.clientCapabilities];
  if (owner === "server") return [envelope.serverCapabilities];
  if (owner !== "receiver" && owner !== "sender") return [];
  return [envelope.clientCapabilities, envelope.serverCapabilities];
}

/**
 * Returns true if a path such as `server.resources.subscribe` leads to a declared capability. A path that begins with
 * `receiver` or `sender` must exist in both sides' capabilities.
 */
export function resolves(path: string, envelope: Envelope, context: LinkContext): boolean {
  const [owner, ...keys] = path.split(".");
  const types = capabilityTypes(owner!, envelope);
  return (
    keys.length > 0 &&
    types.length > 0 &&
    types.every((name) => typeAt(name, keys, context) !== undefined)
  );
}

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

/** The last segments of methods that require a capability named after a different segment. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ["unsubscribe", "subscribe"],
  ["updated", "subscribe"],
]);

export const ANY_METHOD = "*";

export function checkNamingRule(
  linked: readonly LinkedMessage[],
  envelope: Envelope,
  context: LinkContext,
): void {
  context.facts.capabilities?.forEach(({ method, capability }, index) => {
    if (method !== ANY_METHOD) return;
    const isStale = linked.every((one) => !derive(one.message, one.method, envelope, context));
    if (capability === null && !isStale) return;
    context.report({
      code: "MCG3062",
      message: isStale
        ? "The fact switches off the rule that derives capabilities from the names of methods, but that rule applies to no message."
        : "The fact about all methods states a capability.",
      hint: isStale ? "Remove the fact." : "State null, which switches the naming rule off.",
      fact: ["capabilities", index],
    });
  });
}

/**
 * Returns the capability that a message requires. Under the specification's naming rule, the capability belongs to the
 * receiver of a request, or to the sender of a notification. Its key is the method's first segment, that segment's
 * plural, or the first word of the type's name; the last segment is added if such a member exists. Facts state the
 * exceptions, and a fact for the method `*` disables the rule.
 */
export function capabilityOf(
  message: Message,
  direction: Direction,
  envelope: Envelope,
  context: LinkContext,
): string | undefined {
  const derived = derive(message, direction, envelope, context);
  const facts = context.facts.capabilities ?? [];
  const index = facts.findIndex(({ method }) => method === message.method);
  if (index < 0) return facts.some(({ method }) => method === ANY_METHOD) ? undefined : derived;
  const stated = facts[index]!.capability ?? undefined;
  if (stated === derived) {
    context.report({
      code: "MCG3063",
      message: `The fact about ${message.method} states the capability that the rule derives.`,
      hint: "Remove the fact.",
      fact: ["capabilities", index],
    });
  } else if (stated && !resolves(stated, envelope, context)) {
    reportUnresolved(stated, ["capabilities", index, "capability"], context);
  }
  return stated;
}

export function reportUnresolved(
  path: string,
  fact: readonly (string | number)[],
  context: LinkContext,
): void {
  context.report({
    code: "MCG3050",
    message: `The capability \`${path}\` is not declared.`,
    hint: "Write client, server, receiver or sender, then the members of its capabilities type, with dots.",
    fact,
  });
}

function derive(
  { method, kind, base }: Message,
  { from }: Pick<Direction, "from">,
  envelope: Envelope,
  context: LinkContext,
): string | undefined {
  const segment = firstSegment(method);
  const firstWord = /^[A-Z][a-z]*/.exec(base)?.[0].toLowerCase() ?? segment;
  const owner = ownerOf(kind, from);
  const path = [segment, `${segment}s`, firstWord]
    .map((key) => `${owner}.${key}`)
    .find((candidate) => resolves(candidate, envelope, context));
  if (!path) return undefined;
  const last = camelCase(method.split("/").at(-1)!);
  const refined = `${path}.${SAME_AS.get(last) ?? last}`;
  return resolves(refined, envelope, context) ? refined : path;
}

function ownerOf(kind: Message["kind"], from: Direction["from"]): Owner {
  if (from === "both") return kind === "request" ? "receiver" : "sender";
  if (kind === "notification") return from;
  return from === "client" ? "server" : "client";
}

function camelCase(segment: string): string {
  return segment.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function conditionsOf(
  message: Message,
  envelope: Envelope,
  context: LinkContext,
): Condition[] {
  const conditions: Condition[] = [];
  (context.facts.conditions ?? []).forEach((fact, index) => {
    const { method, reason: _reason, source: _source, ...condition } = fact;
    if (method !== message.method) return;
    for (const key of ["capability", "orEmpty"] as const) {
      const path = condition[key];
      if (path !== undefined && !resolves(path, envelope, context)) {
        reportUnresolved(path, ["conditions", index, key], context);
      }
    }
    const types = memberTypes(message, condition.member, context);
    if (types.length === 0) {
      context.report({
        code: "MCG3062",
        message: `The parameters of ${method} have no member \`${condition.member}\`.`,
        hint: "Correct the member, dotted when nested, or remove the fact.",
        fact: ["conditions", index, "member"],
      });
    }
    for (const value of condition.in ?? []) {
      if (types.length === 0 || types.some((type) => admits(type, value, context))) continue;
      context.report({
        code: "MCG3062",
        message: `\`${condition.member}\` of ${method} cannot be ${JSON.stringify(value)}.`,
        hint: "Correct the values, or remove the fact.",
        fact: ["conditions", index, "in"],
      });
    }
    conditions.push(condition);
  });
  return conditions;
}

function admits(type: TypeExpression, value: string, { shapes }: LinkContext): boolean {
  return (type.kind === "keyword" && type.name === "string") || shapes.literal(type) === value;
}
