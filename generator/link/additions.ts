import type { LinkContext } from "./context.js";
import type { JsonPath } from "./json-position.js";
import { hasMember, memberTypes } from "./type-tests.js";
import type { Message } from "./messages.js";
import type { Additions, Method, Protocol } from "./protocol.js";

const LISTS = ["alternatives", "joins", "topics", "declaredBy"] as const;

/**
 * Returns the additions that an extension makes to the revision's messages, according to the facts; undefined if the
 * schema is not an extension.
 */
export function additions(
  messages: readonly Message[],
  context: LinkContext,
): Additions | undefined {
  const { facts, extended } = context;
  if (extended === undefined) {
    for (const list of LISTS)
      facts[list]?.forEach((_, index) => reportUseless(list, index, context));
    return undefined;
  }
  const { alternatives = [], joins = [], topics = [], declaredBy = [] } = facts;
  const check = new AdditionCheck(messages, extended, context);
  alternatives.forEach((fact, index) => check.alternative(fact, index));
  joins.forEach((fact, index) => check.join(fact, index));
  topics.forEach((fact, index) => check.topic(fact, index));
  declaredBy.forEach((_, index) => check.declaration(index));
  return {
    alternatives: alternatives.map(({ method, type, resultType }) => ({
      method,
      type,
      resultType,
    })),
    joins: joins.map(({ method, member, type }) => ({ method, member, type })),
    topics: topics.map(({ member, notification, key }) => ({
      member,
      notification,
      ...(key !== undefined && { key }),
    })),
    ...(declaredBy[0] && { declaredBy: declaredBy[0].side }),
  };
}

class AdditionCheck {
  readonly #messages: readonly Message[];
  readonly #extended: Protocol;
  readonly #context: LinkContext;
  readonly #stated = new Set<string>();

  constructor(messages: readonly Message[], extended: Protocol, context: LinkContext) {
    this.#messages = messages;
    this.#extended = extended;
    this.#context = context;
  }

  alternative(
    { method, type, resultType }: { method: string; type: string; resultType: string },
    index: number,
  ): void {
    const at: JsonPath = ["alternatives", index];
    this.#once(`results of ${method} of the type "${resultType}"`, at);
    const row = this.#row(method, [...at, "method"]);
    if (row && row.kind !== "request") this.#stale(`request ${method}`, [...at, "method"]);
    if (!this.#isDeclared(type, [...at, "type"])) return;
    const { shapes } = this.#context;
    const stated = shapes.memberLiteral(shapes.named(type)?.members.get("resultType"));
    if (stated === resultType && this.#extended.traits.resultType) return;
    this.#context.report({
      code: "MCG3072",
      message: `${type} does not declare \`resultType: "${resultType}"\`, which distinguishes it from other results.`,
      hint: "Declare the member in the schema, with the value that the fact states.",
      fact: [...at, "resultType"],
    });
  }

  join(
    { method, member, type }: { method: string; member: string; type: string },
    index: number,
  ): void {
    const at: JsonPath = ["joins", index];
    this.#once(`parameters of ${method}`, at);
    const row = this.#row(method, [...at, "method"]);
    this.#isDeclared(type, [...at, "type"]);
    const shape = row && this.#context.shapes.named(row.type);
    if (shape && memberTypes({ shape }, member, this.#context).length === 0)
      this.#stale(`member \`${member}\` of the parameters of ${method}`, [...at, "member"]);
  }

  topic(
    { member, notification, key }: { member: string; notification: string; key?: string },
    index: number,
  ): void {
    const at: JsonPath = ["topics", index];
    this.#once(`subscriptions to ${notification}`, at);
    const { facts, shapes } = this.#context;
    const listen = this.#extended.methods.find(({ role }) => role === "listen")?.method;
    const joined = facts.joins?.find(({ method }) => method === listen)?.type;
    if (!joined || !shapes.named(joined)?.members.has(member))
      this.#stale(`member \`${member}\`, joined to a subscription`, [...at, "member"]);
    const message = this.#messages.find(({ method }) => method === notification);
    if (message?.kind !== "notification")
      return this.#stale(`notification \`${notification}\``, [...at, "notification"]);
    const params = message.shape.members.get("params")?.types ?? [];
    const has = params.some(({ type }) => hasMember(type, key ?? "", this.#context));
    if (key !== undefined && !has)
      this.#stale(`member \`${key}\` of ${notification}`, [...at, "key"]);
  }

  /**
   * Rejects an extension's messages to clients if only servers declare the extension: a client may not support them, so
   * a server must not send any.
   */
  declaration(index: number): void {
    const at: JsonPath = ["declaredBy", index];
    this.#once("the side that declares the extension", at);
    const { directions } = this.#context.facts;
    const unions = this.#context.own.filter(({ name }) =>
      /^Server(?:Request|Notification)$/.test(name),
    );
    const sent = directions?.find(({ from }) => from !== "client")?.method ?? unions[0]?.name;
    if (sent === undefined) return;
    this.#context.report({
      code: "MCG3073",
      message: `Only servers declare the extension, but ${sent} is for clients.`,
      hint: "Remove the fact: a server sends messages to clients that declare the extension.",
      fact: at,
    });
  }

  #row(method: string, fact: JsonPath): Method | undefined {
    const row = this.#extended.methods.find((one) => one.method === method);
    if (row === undefined) this.#stale(`method \`${method}\` of the revision`, fact);
    return row;
  }

  #isDeclared(type: string, fact: JsonPath): boolean {
    const isKnown = this.#context.own.some(({ name }) => name === type);
    if (!isKnown) this.#stale(`type ${type}`, fact);
    return isKnown;
  }

  #once(what: string, fact: JsonPath): void {
    if (!this.#stated.has(what)) return void this.#stated.add(what);
    this.#context.report({
      code: "MCG3069",
      message: `There are two facts about ${what}.`,
      hint: "Remove one of the facts.",
      fact,
    });
  }

  #stale(what: string, fact: JsonPath): void {
    this.#context.report({
      code: "MCG3062",
      message: `The fact is about the ${what}, which does not exist.`,
      hint: "Correct the name, or remove the fact.",
      fact,
    });
  }
}

function reportUseless(list: string, index: number, context: LinkContext): void {
  context.report({
    code: "MCG3071",
    message:
      "The fact is about what an extension adds to a revision, but this schema is a revision.",
    hint: "Declare it in the schema of the revision, and remove the fact.",
    fact: [list, index],
  });
}
