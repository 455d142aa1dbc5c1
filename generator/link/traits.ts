import {
  exampleLines,
  HANDSHAKE,
  HANDSHAKE_UNIONS,
  lackingNames,
  unionLine,
} from "../smallest-schema.js";
import type { LinkContext } from "./context.js";
import { hasBatches, SHARED_TYPES } from "./envelope.js";
import type { Message } from "./messages.js";
import type { Envelope, Method, Traits } from "./protocol.js";

export interface LinkedMessage {
  readonly message: Message;
  readonly method: Method;
}

/**
 * Derives, from the schema, the traits on which the runtime depends. Facts state those that the schema does not show.
 * An extension has the traits of the protocol that it extends.
 */
export function traits(
  linked: readonly LinkedMessage[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  envelope: Envelope,
  context: LinkContext,
): Traits | undefined {
  if (context.extended) {
    return { ...context.extended.traits, ...statedTraits(context.extended.traits, context) };
  }
  const requests = linked.filter(({ method }) => method.kind === "request");
  const onWire = requests.filter(({ method }) => method.channel === "wire");
  const fromServer = requests.filter(({ method }) => method.from !== "client");
  const derived = {
    lifecycle: lifecycleOf(requests, aggregates, context),
    serverRequests: fromServer.some(({ method }) => method.channel === "wire")
      ? "wire"
      : fromServer.length > 0
        ? "embedded"
        : "none",
    batching: hasBatches(context),
    envelope: uniform("envelope", onWire, carriesEnvelope, context) ? "inside" : "outside",
    requestMeta: uniform("requestMeta", onWire, (one) => requiresMeta(one, context), context)
      ? "required"
      : "optional",
    resultType: resultCarriesType(envelope, context),
    cacheable: linked.some(({ method }) => method.cacheable),
    errorId: context.shapes.named(envelope.error)?.members.get("id")?.optional
      ? "optional"
      : "required",
    tasks: requests.some(({ method }) =>
      method.result?.alternatives.some(({ when }) => when === "task"),
    ),
    progressMessage: linked.some(
      (one) => one.method.role === "progress" && paramsMayHave("message", one, context),
    ),
  } as const;
  const { lifecycle, ...others } = { ...derived, ...statedTraits(derived, context) };
  return lifecycle && { lifecycle, ...others };
}

function lifecycleOf(
  requests: readonly LinkedMessage[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): Traits["lifecycle"] | undefined {
  const opening = requests.filter(
    ({ method }) => method.role === "initialize" || method.role === "discover",
  );
  const [first, second] = opening;
  if (first && !second) return first.method.role as Traits["lifecycle"];
  if (isStated("lifecycle", context)) return undefined;
  context.report({
    code: "MCG3030",
    message: second
      ? "The schema has both a handshake and a discovery: how does a conversation open?"
      : "The schema has neither InitializeRequest nor DiscoverRequest: how does a conversation open?",
    hint: second
      ? "Declare one of the two, or state the trait `lifecycle` in the facts."
      : "Declare a handshake such as below, or DiscoverRequest if each request is self-contained.",
    ...(second
      ? { span: second.message.declaration.span }
      : { example: handshake(aggregates, context) }),
  });
  return undefined;
}

function handshake(
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): string {
  const lacking = lackingNames(HANDSHAKE, (name) => isThere(name, context));
  const listed = Object.entries(HANDSHAKE_UNIONS)
    .filter(([union, name]) => aggregates[union] && !aggregates[union].includes(name))
    .map(([union, name]) => unionLine(union, [name, ...aggregates[union]!]));
  return [exampleLines(lacking), ...listed].filter(Boolean).join("\n");
}

/** Returns true if a name is declared, or if its absence is reported elsewhere because every schema must declare it. */
function isThere(name: string, { shapes }: LinkContext): boolean {
  return shapes.declaration(name) !== undefined || SHARED_TYPES.includes(name);
}

/**
 * Returns a property that all messages should share, which is that of the first message, or false if there are no
 * messages. Reports mixed messages unless a fact states the trait.
 */
function uniform(
  trait: keyof Traits,
  messages: readonly LinkedMessage[],
  holds: (one: LinkedMessage) => boolean,
  context: LinkContext,
): boolean {
  const [first] = messages;
  if (!first) return false;
  const expected = holds(first);
  const odd = messages.find((one) => holds(one) !== expected);
  if (odd && !isStated(trait, context)) {
    context.report({
      code: "MCG3031",
      message: `The trait \`${trait}\` is mixed: ${odd.message.declaration.name} differs from ${first.message.declaration.name}.`,
      hint: "Declare all requests alike, or state the trait in the facts.",
      span: odd.message.declaration.span,
    });
  }
  return expected;
}

function carriesEnvelope({ message }: LinkedMessage): boolean {
  return message.shape.members.has("jsonrpc");
}

function requiresMeta({ message }: LinkedMessage, context: LinkContext): boolean {
  const params = message.shape.members.get("params");
  if (!params || params.optional) return false;
  return params.types.some(({ type }) => {
    const arms = context.shapes.arms(type);
    return arms.every((arm) => context.shapes.of(arm)?.members.get("_meta")?.optional === false);
  });
}

function paramsMayHave(name: string, { message }: LinkedMessage, context: LinkContext): boolean {
  const types = message.shape.members.get("params")?.types ?? [];
  return types.some(({ type }) =>
    context.shapes.arms(type).some((arm) => context.shapes.of(arm)?.members.has(name)),
  );
}

function resultCarriesType(envelope: Envelope, context: LinkContext): boolean {
  const result = context.shapes.named(envelope.result)?.members.get("result")?.types[0]?.type;
  const shape = result && context.shapes.of(result);
  return shape?.members.get("resultType")?.optional === false;
}

const VALUES: Readonly<Record<keyof Traits, readonly unknown[]>> = {
  lifecycle: ["initialize", "discover"],
  serverRequests: ["wire", "embedded", "none"],
  batching: [true, false],
  envelope: ["inside", "outside"],
  requestMeta: ["optional", "required"],
  resultType: [true, false],
  cacheable: [true, false],
  errorId: ["required", "optional"],
  tasks: [true, false],
  progressMessage: [true, false],
};

export function statedTraits(
  derived: Readonly<Record<keyof Traits, unknown>>,
  context: LinkContext,
): Partial<Traits> {
  const stated: Record<string, unknown> = {};
  context.facts.traits?.forEach(({ trait, value }, index) => {
    const fact = ["traits", index];
    if (!Object.hasOwn(VALUES, trait) || !VALUES[trait].includes(value)) {
      context.report({
        code: "MCG3067",
        message: `There is no trait \`${trait}\` with the value ${JSON.stringify(value)}.`,
        hint: `The traits are ${Object.keys(VALUES).join(", ")}.`,
        fact,
      });
    } else if (derived[trait] === value) {
      context.report({
        code: "MCG3063",
        message: `The fact about the trait \`${trait}\` states what the schema already shows.`,
        hint: "Remove the fact.",
        fact,
      });
    }
    stated[trait] = value;
  });
  return stated;
}

export function isStated(trait: keyof Traits, context: LinkContext): boolean {
  return context.facts.traits?.some((fact) => fact.trait === trait) ?? false;
}
