import type { EffectiveShape } from "../model/shape.js";
import type { LinkContext } from "./context.js";
import type { Envelope } from "./protocol.js";

const MESSAGE = "JSONRPCMessage";

/** The members by which a message is classified, and the envelope type that each one tells. */
const KINDS = [
  { kind: "request", tells: (shape: EffectiveShape) => has(shape, "method") && has(shape, "id") },
  { kind: "notification", tells: (shape: EffectiveShape) => has(shape, "method") },
  { kind: "error", tells: (shape: EffectiveShape) => has(shape, "error") },
  { kind: "result", tells: (shape: EffectiveShape) => has(shape, "result") },
] as const;

const SHARED = {
  clientCapabilities: "ClientCapabilities",
  serverCapabilities: "ServerCapabilities",
  implementation: "Implementation",
} as const;

/**
 * The names of the shared types: the arms of the message union by their shape, the others by name. An
 * extension has those of the protocol that it extends.
 */
export function envelope(context: LinkContext): Envelope | undefined {
  if (context.extended) return context.extended.envelope;
  const names: Record<string, string> = { message: MESSAGE, ...SHARED };
  for (const name of Object.values(names)) {
    if (!context.shapes.declaration(name)) reportMissing(name, context);
  }
  for (const name of messageArms(context)) {
    const shape = context.shapes.named(name);
    const kind = shape && KINDS.find(({ tells }) => tells(shape))?.kind;
    if (kind) names[kind] ??= name;
  }
  for (const { kind } of KINDS) {
    if (!names[kind] && context.shapes.declaration(MESSAGE)) reportArm(kind, context);
  }
  const complete = KINDS.every(({ kind }) => names[kind]);
  return complete ? (names as unknown as Envelope) : undefined;
}

function messageArms(context: LinkContext): string[] {
  const message = context.shapes.declaration(MESSAGE);
  const arms = message?.kind === "alias" ? context.shapes.arms(message.type) : [];
  return arms.flatMap((arm) => (arm.kind === "reference" ? [arm.name] : []));
}

/** True when a message may be an array of messages. */
export function hasBatches(context: LinkContext): boolean {
  return messageArms(context).some((name) => {
    const declaration = context.shapes.declaration(name);
    return declaration?.kind === "alias" && declaration.type.kind === "array";
  });
}

function has(shape: EffectiveShape, member: string): boolean {
  return shape.members.has(member);
}

function reportMissing(name: string, context: LinkContext): void {
  context.report({
    code: "MCG3004",
    message: `The schema declares no ${name}.`,
    hint: `Declare ${name}: every revision has one.`,
  });
}

function reportArm(kind: string, context: LinkContext): void {
  context.report({
    code: "MCG3004",
    message: `No arm of ${MESSAGE} is a ${kind}.`,
    hint: `Add the type of a ${kind} to the union.`,
    span: context.shapes.declaration(MESSAGE)!.span,
  });
}
