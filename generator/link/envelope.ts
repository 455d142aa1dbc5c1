import type { EffectiveShape } from "../model/shape.js";
import { exampleLines, lackingNames, unionLine } from "../smallest-schema.js";
import type { LinkContext } from "./context.js";
import type { Envelope } from "./protocol.js";

const MESSAGE = "JSONRPCMessage";

/** The kinds of messages. A type's kind is the first one that matches. */
const KINDS = [
  {
    kind: "request",
    matches: (shape: EffectiveShape) => has(shape, "method") && has(shape, "id"),
    form: "a type with the members `method` and `id`",
    example: "JSONRPCRequest",
  },
  {
    kind: "notification",
    matches: (shape: EffectiveShape) => has(shape, "method"),
    form: "a type with the member `method`, but no `id`",
    example: "JSONRPCNotification",
  },
  {
    kind: "error",
    matches: (shape: EffectiveShape) => has(shape, "error"),
    form: "a type with the member `error`",
    example: "JSONRPCError",
  },
  {
    kind: "result",
    matches: (shape: EffectiveShape) => has(shape, "result"),
    form: "a type with the member `result`",
    example: "JSONRPCResponse",
  },
] as const;

const SHARED = {
  clientCapabilities: "ClientCapabilities",
  serverCapabilities: "ServerCapabilities",
  implementation: "Implementation",
} as const;

export const SHARED_TYPES: readonly string[] = [MESSAGE, ...Object.values(SHARED)];

/** The purposes of the types that every schema must declare, each phrased as the end of a hint. */
const PURPOSES: Readonly<Record<string, string>> = {
  [MESSAGE]: "the union of all messages",
  Implementation: "the name and version of a side",
  ClientCapabilities: "what a client can do",
  ServerCapabilities: "what a server can do",
};

/**
 * Returns the names of the shared types; undefined if an alternative of the message union is missing. The alternatives
 * of the message union are recognized by their structure, the other types by name. For an extension, the names are
 * those of the protocol that it extends.
 */
export function envelope(context: LinkContext): Envelope | undefined {
  if (context.extended) return context.extended.envelope;
  const names: Record<string, string> = { message: MESSAGE, ...SHARED };
  for (const name of SHARED_TYPES) {
    if (!context.shapes.declaration(name)) reportMissing(name, context);
  }
  for (const name of messageArms(context)) {
    const kind = kindOf(name, context)?.kind;
    if (kind) names[kind] ??= name;
  }
  const lacking = KINDS.filter(({ kind }) => !names[kind]);
  if (context.shapes.declaration(MESSAGE)) reportArms(lacking, context);
  const complete = KINDS.every(({ kind }) => names[kind]);
  return complete ? (names as unknown as Envelope) : undefined;
}

function kindOf(name: string, context: LinkContext): (typeof KINDS)[number] | undefined {
  const shape = context.shapes.named(name);
  return shape && KINDS.find(({ matches }) => matches(shape));
}

function messageArms(context: LinkContext): string[] {
  const message = context.shapes.declaration(MESSAGE);
  const arms = message?.kind === "alias" ? context.shapes.arms(message.type) : [];
  return arms.flatMap((arm) => (arm.kind === "reference" ? [arm.name] : []));
}

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
  const isDeclared = (one: string): boolean => context.shapes.declaration(one) !== undefined;
  context.report({
    code: "MCG3004",
    message: `The schema declares no ${name}.`,
    hint: `Declare ${name}, ${PURPOSES[name]}, such as:`,
    example: exampleLines(lackingNames([name], isDeclared)),
  });
}

function reportArms(lacking: readonly (typeof KINDS)[number][], context: LinkContext): void {
  const { span } = context.shapes.declaration(MESSAGE)!;
  const arms = lacking.map(({ example }) => example);
  const fits = (name: string): boolean => {
    const usual = KINDS.find(({ example }) => example === name);
    return (
      context.shapes.declaration(name) !== undefined && (!usual || usual === kindOf(name, context))
    );
  };
  const union = unionLine(MESSAGE, [...messageArms(context), ...arms]);
  const example = [exampleLines(lackingNames(arms, fits)), union].filter(Boolean).join("\n");
  lacking.forEach(({ kind, form }, index) => {
    context.report({
      code: "MCG3004",
      message: `No arm of ${MESSAGE} is a ${kind}.`,
      hint: `Add ${form} to the union${index === 0 ? ", such as:" : "."}`,
      ...(index === 0 && { example }),
      span,
    });
  });
}
