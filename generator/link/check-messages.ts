import { SENDER_AGGREGATES } from "./aggregates.js";
import type { LinkContext } from "./context.js";
import { type Message, PREFIX, SUFFIX } from "./messages.js";
import type { Envelope, Role } from "./protocol.js";
import type { LinkedMessage } from "./traits.js";
import type { TypeExpression } from "../model/schema-model.js";

const MEMBERS = {
  request: new Set(["jsonrpc", "id", "method", "params"]),
  notification: new Set(["jsonrpc", "method", "params"]),
};

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
        hint: "Choose another method for one of them.",
        span: declaration.span,
      });
    }
  }
}

function checkName({ kind, method, declaration }: Message, context: LinkContext): void {
  if (declaration.name.endsWith(SUFFIX[kind])) return;
  context.report({
    code: "MCG3007",
    message: `${declaration.name} has the method of a ${kind}, \`${method}\`, but its name does not end in ${SUFFIX[kind]}.`,
    hint:
      kind === "request"
        ? `Rename it. If it is a notification, its method has to contain \`${PREFIX}\`, or a fact about its direction has to state \`"kind": "notification"\`.`
        : `Rename it. If it is a request, its method must not contain \`${PREFIX}\`, or a fact about its direction has to state \`"kind": "request"\`.`,
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
    for (const type of aggregates[name] ?? []) {
      const fits = messages.some(
        (message) => message.kind === kind && message.declaration.name === type,
      );
      if (fits) continue;
      context.report({
        code: "MCG3003",
        message: `${name} lists ${type}, which is not a ${kind}.`,
        hint: `Remove it from the union, or declare a literal \`method\` of a ${kind} in it.`,
        span: context.shapes.declaration(name)!.span,
      });
    }
  }
}

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
      message: `${name} does not declare its method.`,
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

/**
 * Compares the schema's `@category` tags with the pairing of requests and results, because the tags are independent
 * evidence.
 */
export function checkCategories(linked: readonly LinkedMessage[], context: LinkContext): void {
  const methods = new Set(linked.map(({ method }) => method.method));
  for (const { message, method } of linked) {
    compare(message.declaration.name, method.method, methods, context);
    const answers = method.result?.rule === "empty" ? undefined : method.result?.type;
    if (answers) compare(answers, method.method, methods, context);
  }
}

function compare(
  type: string,
  method: string,
  methods: ReadonlySet<string>,
  context: LinkContext,
): void {
  const declaration = context.shapes.declaration(type);
  const tag = declaration?.doc?.tags.find(({ name }) => name === "category");
  const category = tag?.text.replaceAll("`", "").trim();
  if (!declaration || !category || category === method || !methods.has(category)) return;
  context.report({
    code: "MCG3017",
    severity: "warning",
    message: `${type} is filed under \`${category}\`, but belongs to \`${method}\`.`,
    hint: "Correct the `@category`, the method, or the name by which the two were paired.",
    span: declaration.span,
    about: type,
  });
}

/** The members that the engine supplies in messages that it sends itself, by the message's role. */
const SUPPLIED: Readonly<Partial<Record<Role, Readonly<Record<Part, readonly string[]>>>>> = {
  initialize: {
    params: ["protocolVersion", "capabilities", "clientInfo"],
    result: ["protocolVersion", "capabilities", "serverInfo"],
  },
  initialized: { params: [], result: [] },
  discover: { params: [], result: ["supportedVersions", "capabilities"] },
  ping: { params: [], result: [] },
  cancelled: { params: ["requestId"], result: [] },
};

type Part = "params" | "result";

/** The members that the engine adds to every message whose type declares them. */
const ENVELOPE: ReadonlySet<string> = new Set(["_meta", "resultType", "ttlMs", "cacheScope"]);

/** Rejects engine messages that require members unknown to the engine, because it could never send such messages. */
export function checkEngineMessages(linked: readonly LinkedMessage[], context: LinkContext): void {
  if (context.extended) return;
  for (const { message, method } of linked) {
    const supplied = method.role && SUPPLIED[method.role];
    if (!supplied) continue;
    const params = message.shape.members.get("params");
    if (params && !params.optional) {
      const types = params.types.map(({ type }) => type);
      refuseUnknown(message.declaration.name, types, supplied.params, context);
    }
    const result = method.result && context.shapes.declaration(method.result.type);
    if (result?.kind === "interface") {
      const type: TypeExpression = { kind: "reference", name: result.name, span: result.span };
      refuseUnknown(result.name, [type], supplied.result, context);
    }
  }
}

function refuseUnknown(
  owner: string,
  types: readonly TypeExpression[],
  supplied: readonly string[],
  context: LinkContext,
): void {
  const members = types.flatMap((type) => [...(context.shapes.of(type)?.members ?? [])]);
  for (const [name, { optional, types: of }] of members) {
    if (optional || ENVELOPE.has(name) || supplied.includes(name)) continue;
    context.report({
      code: "MCG3032",
      message: `${owner} requires \`${name}\`, but the runtime sends this message itself and has no value for it.`,
      hint: `Make \`${name}\` optional, or move it into a message of your own; the runtime fills in ${listed(supplied)}.`,
      span: of[0]?.type.span ?? context.shapes.declaration(owner)!.span,
      about: `${owner}.${name}`,
    });
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing here" : names.map((name) => `\`${name}\``).join(", ");
}
