import { unionLine } from "../smallest-schema.js";
import { SENDER_AGGREGATES } from "./aggregates.js";
import type { LinkContext } from "./context.js";
import { isMisnamed, type Message, roleOf } from "./messages.js";
import type { Method, Role } from "./protocol.js";

export type Direction = Pick<Method, "from" | "channel">;

/**
 * Determines each message's sender: from a fact, from the unions of messages or, failing these, from the messages of
 * the same kind whose methods have the same first segment, if they agree.
 */
export function directions(
  messages: readonly Message[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): ReadonlyMap<Message, Direction> {
  const listed = new Map<Message, Direction>();
  for (const message of messages) {
    const listing = fromAggregates(message, aggregates, context);
    const direction = fromFacts(message, listing, context) ?? listing;
    if (direction) listed.set(message, direction);
  }
  const all = new Map(listed);
  const unlisted: Message[] = [];
  for (const message of messages) {
    if (listed.has(message)) continue;
    const direction = fromSiblings(message, listed);
    if (direction) {
      reportAssumed(message, direction, context);
      all.set(message, direction);
    } else if (!isMisnamed(message)) unlisted.push(message);
  }
  reportUnlisted(unlisted, messages, aggregates, context);
  return all;
}

function fromAggregates(
  message: Message,
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): Direction | undefined {
  const { name, span } = message.declaration;
  const listing = SENDER_AGGREGATES.filter((aggregate) =>
    aggregates[aggregate.name]?.includes(name),
  );
  const channels = new Set(listing.map(({ channel }) => channel));
  if (channels.size > 1) {
    context.report({
      code: "MCG3019",
      message: `${name} is both a message of its own and embedded in results.`,
      hint: `Keep it in one of ${listing.map((aggregate) => aggregate.name).join(" and ")}.`,
      span,
    });
  }
  const [first] = listing;
  return first && { from: joined(listing.map(({ from }) => from)), channel: first.channel };
}

function joined(senders: readonly Method["from"][]): Method["from"] {
  return new Set(senders).size > 1 ? "both" : senders[0]!;
}

function fromFacts(
  { method }: Message,
  listing: Direction | undefined,
  context: LinkContext,
): Direction | undefined {
  const facts = context.facts.directions ?? [];
  const index = facts.findIndex((fact) => fact.method === method);
  if (index < 0) return undefined;
  const { from, channel = "wire", kind } = facts[index]!;
  if (listing && (kind === undefined || listing.from !== from)) {
    context.report({
      code: "MCG3063",
      message: `The fact about ${method} states a direction, but the unions state it already.`,
      hint: "Remove the fact: the unions decide.",
      fact: ["directions", index],
    });
  }
  return { from, channel };
}

function fromSiblings(
  message: Message,
  listed: ReadonlyMap<Message, Direction>,
): Direction | undefined {
  const segment = firstSegment(message.method);
  const siblings = [...listed].filter(
    ([other]) => other.kind === message.kind && firstSegment(other.method) === segment,
  );
  const [first, ...others] = siblings.map(([, direction]) => direction);
  const agree = others.every(
    ({ from, channel }) => from === first?.from && channel === first.channel,
  );
  return agree ? first : undefined;
}

export function firstSegment(method: string): string {
  return method.replace(/^notifications\//, "").split("/")[0]!;
}

function reportAssumed(
  { declaration: { name, span }, kind }: Message,
  { from }: Direction,
  context: LinkContext,
): void {
  context.report({
    code: "MCG3002",
    severity: "warning",
    message: `No union lists ${name}; assumed to be sent by the ${from}, like its siblings.`,
    hint: `Add it to one of ${namesOf(unionsOf(kind))}, or correct the file by an erratum in the facts.`,
    span,
    about: name,
  });
}

/** The roles of the engine's messages that either side may send. */
const OF_BOTH_SIDES: ReadonlySet<Role | undefined> = new Set(["ping", "cancelled", "progress"]);

function reportUnlisted(
  unlisted: readonly Message[],
  messages: readonly Message[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): void {
  const shown = new Set<string>();
  for (const message of unlisted) {
    const { name, span } = message.declaration;
    const union = likelyUnion(message);
    const where = `Add it to one of ${namesOf(unionsOf(message.kind))}, or state a direction in the facts.`;
    const alike = unlisted.filter((other) => likelyUnion(other) === union);
    const listed = aggregates[union.name] ?? sharedBy(union, messages);
    const arms = [...listed, ...alike.map(({ declaration }) => declaration.name)];
    const isFirst = !shown.has(union.name);
    shown.add(union.name);
    context.report({
      code: "MCG3001",
      message: `Neither a union nor a fact states who sends ${name} (\`${message.method}\`).`,
      hint: isFirst ? `${where} If the ${union.from} sends it:` : where,
      ...(isFirst && { example: unionLine(union.name, arms) }),
      span,
    });
  }
}

function sharedBy({ kind }: Union, messages: readonly Message[]): readonly string[] {
  return messages
    .filter((message) => message.kind === kind)
    .map(({ declaration }) => declaration.name)
    .filter((name) => OF_BOTH_SIDES.has(roleOf(name)));
}

type Union = (typeof SENDER_AGGREGATES)[number];

function unionsOf(kind: Message["kind"]): readonly Union[] {
  return SENDER_AGGREGATES.filter((aggregate) => aggregate.kind === kind);
}

function namesOf(unions: readonly Union[]): string {
  return unions.map(({ name }) => name).join(", ");
}

/**
 * Returns the union to which a message without a known sender most likely belongs: clients send requests and the
 * engine's notifications, and servers send all other notifications.
 */
function likelyUnion({ kind, declaration }: Message): Union {
  const from = kind === "request" || roleOf(declaration.name) ? "client" : "server";
  return unionsOf(kind).find((union) => union.from === from)!;
}
