import type { AliasDeclaration, InterfaceDeclaration } from "../model/schema-model.js";
import type { EffectiveShape } from "../model/shape.js";
import type { LinkContext } from "./context.js";
import type { Role } from "./protocol.js";

/** A message of the protocol, which is a declaration whose `method` is a literal. */
export interface Message {
  readonly kind: "request" | "notification";
  readonly method: string;
  readonly declaration: InterfaceDeclaration | AliasDeclaration;
  readonly shape: EffectiveShape;
  /** The declared name without `Request` or `Notification`, or the whole name if nothing would be left. */
  readonly base: string;
}

/** The segment that identifies the methods of notifications. */
export const PREFIX = "notifications/";
const NOTIFICATION = /(?:^|\/)notifications\//;
export const SUFFIX = { request: "Request", notification: "Notification" } as const;

export function messages(context: LinkContext): Message[] {
  const found: Message[] = [];
  for (const declaration of context.own) {
    if (declaration.kind === "const" || isSynonym(declaration)) continue;
    const shape = context.shapes.named(declaration.name);
    const method = context.shapes.memberLiteral(shape?.members.get("method"));
    if (!shape || typeof method !== "string") continue;
    const kind = kindOf(method, context);
    const { name } = declaration;
    found.push({ kind, method, declaration, shape, base: baseOf(name, SUFFIX[kind]) });
  }
  return found;
}

function kindOf(method: string, context: LinkContext): Message["kind"] {
  const shown = NOTIFICATION.test(method) ? "notification" : "request";
  const index = context.facts.directions?.findIndex((fact) => fact.method === method) ?? -1;
  const stated = context.facts.directions?.[index]?.kind;
  if (stated !== undefined && stated === shown) {
    context.report({
      code: "MCG3062",
      message: `The fact states that ${method} is a ${stated}, which its form already shows.`,
      hint: "Remove `kind` from the fact.",
      fact: ["directions", index, "kind"],
    });
  }
  return stated ?? shown;
}

/**
 * Returns true if a message's name suggests a different kind than its method does. Such a message is reported
 * separately.
 */
export function isMisnamed({ kind, declaration }: Message): boolean {
  const other = kind === "request" ? SUFFIX.notification : SUFFIX.request;
  return declaration.name.endsWith(other);
}

function baseOf(name: string, suffix: string): string {
  return name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name;
}

/**
 * Returns true for an alias that merely refers to another type, such as `type ClientNotification =
 * CancelledNotification`. It does not declare a message of its own.
 */
function isSynonym(declaration: InterfaceDeclaration | AliasDeclaration): boolean {
  return declaration.kind === "alias" && declaration.type.kind === "reference";
}

const ROLES: ReadonlyMap<string, Role> = new Map([
  ["InitializeRequest", "initialize"],
  ["InitializedNotification", "initialized"],
  ["PingRequest", "ping"],
  ["CancelledNotification", "cancelled"],
  ["ProgressNotification", "progress"],
  ["DiscoverRequest", "discover"],
  ["SubscriptionsListenRequest", "listen"],
  ["SubscriptionsAcknowledgedNotification", "acknowledged"],
]);

export function roleOf(type: string): Role | undefined {
  return ROLES.get(type);
}
