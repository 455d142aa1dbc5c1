import { SENDER_AGGREGATES } from "./aggregates.js";
import type { LinkContext } from "./context.js";
import { type Message, PREFIX, SUFFIX } from "./messages.js";
import type { Envelope } from "./protocol.js";

const MEMBERS = {
  request: new Set(["jsonrpc", "id", "method", "params"]),
  notification: new Set(["jsonrpc", "method", "params"]),
};

/** Checks that messages have the form that later stages expect. */
export function checkMessages(
  messages: readonly Message[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  envelope: Envelope,
  context: LinkContext,
): void {
  checkDuplicates(messages, context);
  for (const message of messages) {
    checkName(message, context);
    checkMembers(message, context);
  }
  checkListed(messages, aggregates, context);
  checkLiterals(messages, envelope, context);
}

function checkDuplicates(messages: readonly Message[], context: LinkContext): void {
  const first = new Map<string, string>();
  for (const { method, declaration } of messages) {
    const other = first.get(method);
    if (other === undefined) first.set(method, declaration.name);
    else {
      context.report({
        code: "MCG3005",
        message: `${declaration.name} has the method of ${other}, \`${method}\`.`,
        hint: "Give each message a method of its own.",
        span: declaration.span,
      });
    }
  }
}

function checkName({ kind, method, declaration }: Message, context: LinkContext): void {
  if (declaration.name.endsWith(SUFFIX[kind])) return;
  context.report({
    code: "MCG3007",
    message: `${declaration.name} has the method of a ${kind}, \`${method}\`, but not the name of one.`,
    hint:
      kind === "request"
        ? `Let its name end in ${SUFFIX[kind]}; the method of a notification contains \`${PREFIX}\`, or a fact about its direction says \`"kind": "notification"\`.`
        : `Let its name end in ${SUFFIX[kind]}; the method of a request does not contain \`${PREFIX}\`, or a fact about its direction says \`"kind": "request"\`.`,
    span: declaration.span,
  });
}

function checkMembers({ kind, declaration, shape }: Message, context: LinkContext): void {
  for (const name of shape.members.keys()) {
    if (MEMBERS[kind].has(name)) continue;
    context.report({
      code: "MCG3008",
      message: `${declaration.name} has a member \`${name}\` that a ${kind} cannot have.`,
      hint: "Move it into `params`.",
      span: declaration.span,
    });
  }
}

function checkListed(
  messages: readonly Message[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): void {
  for (const { name, kind } of SENDER_AGGREGATES) {
    for (const listed of aggregates[name] ?? []) {
      const fits = messages.some(
        (message) => message.kind === kind && message.declaration.name === listed,
      );
      if (fits) continue;
      context.report({
        code: "MCG3003",
        message: `${name} lists ${listed}, which is no ${kind}.`,
        hint: `Remove it from the union, or give it a literal \`method\` of a ${kind}.`,
        span: context.shapes.declaration(name)!.span,
      });
    }
  }
}

/** A type with the name of a message must pin its method, unless other types extend it. */
function checkLiterals(
  messages: readonly Message[],
  envelope: Envelope,
  context: LinkContext,
): void {
  const declared = messages.map(({ declaration }) => declaration.name);
  const known = new Set([...declared, envelope.request, envelope.notification]);
  for (const { name, kind, span } of context.own) {
    const isMessage = kind === "interface" && /(?:Request|Notification)$/.test(name);
    if (!isMessage || known.has(name) || context.isBase(name)) continue;
    if (!context.shapes.named(name)?.members.has("method")) continue;
    context.report({
      code: "MCG3006",
      message: `${name} does not say which method it is.`,
      hint: `Declare \`method\` as a string literal, such as \`method: "${exampleMethod(name)}"\`.`,
      span,
    });
  }
}

function exampleMethod(name: string): string {
  const isNotification = name.endsWith(SUFFIX.notification);
  const base = name.slice(0, isNotification ? -SUFFIX.notification.length : -SUFFIX.request.length);
  return `${isNotification ? PREFIX : ""}${base.charAt(0).toLowerCase()}${base.slice(1)}`;
}
