import type { Method } from "@mcp-codegen/runtime";
import type { Answer } from "../conversation.js";
import { until } from "../link/link.js";
import {
  declares,
  ask,
  isEmptyResult,
  itemsOf,
  placeOf,
  showAnswer,
  type Visit,
} from "../visit.js";
import { familiesOf, familyOf } from "./methods.js";
import { isMembers, type Members } from "../../tape/json-value.js";
import { hasRole, methodOf, rowOf } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";

/**
 * Opens the subscriptions that a server declares, and sets log levels. Returns a function that ends the subscriptions
 * still open.
 */
export async function examineSubscriptions(
  visit: Visit,
): Promise<(() => Promise<void>) | undefined> {
  if (isStateless(visit.revision)) return listen(visit);
  await subscribe(visit);
  await setLevels(visit);
  return undefined;
}

async function subscribe(visit: Visit): Promise<void> {
  const { revision, capabilities } = visit;
  for (const family of familiesOf(revision)) {
    const { capability } = revision.methods.get(family.subscribe ?? "") ?? {};
    const [item] = itemsOf(visit, family);
    if (!capability || !item || !declares(capabilities, capability)) continue;
    const rows = [...revision.methods.values()].filter(
      (row) => row.kind === "request" && row.capability === capability,
    );
    for (const { method } of rows) {
      const answer = await ask(visit, method, { [family.key]: item[family.key] });
      const isAccepted = answer?.kind === "result" && isEmptyResult(answer.result);
      if (answer) visit.expect("resource-unsubscribable", isAccepted, placeOf(answer));
    }
  }
}

/** The log levels, in the order in which they are set. The last one remains and suppresses most messages. */
const LEVELS = ["debug", "info", "notice", "warning", "critical", "alert", "emergency", "error"];

async function setLevels(visit: Visit): Promise<void> {
  const { revision, conversation, capabilities } = visit;
  const row = revision.methods.get("logging/setLevel");
  if (row === undefined) return;
  if (!declares(capabilities, row.capability)) {
    // Another check reports a server that serves a feature without declaring it.
    await conversation.request(row.method, { level: "error" });
    return;
  }
  for (const level of LEVELS) {
    const answer = await ask(visit, row.method, { level });
    if (answer === undefined) return;
    const expected = `an empty result for the level ${level}`;
    const place = { ...placeOf(answer), expected };
    const isSet = answer.kind === "result" && isEmptyResult(answer.result);
    if (!visit.expect("level-set", isSet, place)) return;
  }
}

/** The maximum time for a server to acknowledge a subscription, in milliseconds. */
const ACKNOWLEDGED_WITHIN = 3_000;

/** The first numeric id for subscriptions, in a range that no other request uses. */
const LISTEN_ID = 1_000_001;

/**
 * Subscribes to all declared topics, then also to undeclared ones, which the server must not acknowledge, and then to
 * each declared topic separately. Only the last subscriptions stay open. Some ids are numbers and others are strings,
 * because a server must keep an id's type. Returns a function that ends the open subscriptions.
 */
async function listen(visit: Visit): Promise<() => Promise<void>> {
  const { revision, conversation } = visit;
  const open: Subscription[] = [];
  const end = async (): Promise<void> => {
    for (const one of open.splice(0)) await one.end();
  };
  const row = rowOf(revision, "listen");
  if (row === undefined || !hasRole(revision, "acknowledged")) return end;
  const filter = filterOf(visit, row, true);
  const topics = Object.entries(filter);
  if (topics.length === 0) return end;
  const undeclared = filterOf(visit, row, false);
  // The first subscription to end has a string as its id, and the next ones to end have numbers.
  const whole = [await listenTo(visit, filter, "doctor-all", ACKNOWLEDGED_WITHIN + 2_000)];
  if (Object.keys(undeclared).length > 0) {
    const all = { ...filter, ...undeclared };
    whole.push(await listenTo(visit, all, LISTEN_ID, ACKNOWLEDGED_WITHIN + 2_000, false));
  }
  await conversation.quiet(100);
  for (const one of whole) await one?.end();
  for (const [topic, value] of topics) {
    const one = await listenTo(visit, { [topic]: value }, `doctor-${topic}`, LISTENS_WITHIN);
    if (one === undefined || one.answered()) break;
    open.push(one);
  }
  return end;
}

/**
 * Opens a subscription and waits until it is acknowledged.
 *
 * @param timeout - the maximum time for which the subscription stays open, in milliseconds
 * @param isDeclared - false if the subscription contains undeclared topics, in which case the server may reject it
 */
async function listenTo(
  visit: Visit,
  notifications: Members,
  id: string | number,
  timeout: number,
  isDeclared = true,
): Promise<Subscription | undefined> {
  if (visit.conversation.ending) return undefined;
  const before = visit.conversation.position;
  const subscription = subscribeTo(visit, notifications, id, timeout);
  const { answered } = subscription;
  const { method: acknowledged } = rowOf(visit.revision, "acknowledged")!;
  const isAcknowledged = (): boolean =>
    visit.conversation
      .since(before)
      .some(({ message }) => isMembers(message) && message["method"] === acknowledged);
  await until(() => isAcknowledged() || answered() !== undefined, ACKNOWLEDGED_WITHIN);
  if (visit.conversation.ending) return undefined;
  const answer = answered();
  visit.expect("listen-acknowledged", isAcknowledged() || !isDeclared, {
    ...(answer && placeOf(answer)),
    received: answer ? showAnswer(answer) : "nothing",
    expected: `an acknowledgement of ${Object.keys(notifications).join(", ")}`,
  });
  return subscription;
}

interface Subscription {
  /** Returns the response to the listen request; undefined while the subscription is open. */
  readonly answered: () => Answer | undefined;
  readonly end: () => Promise<void>;
}

/** Opens a subscription, which counts as open until it is answered. */
export function subscribeTo(
  { revision, conversation, open }: Visit,
  notifications: Members,
  id: string | number,
  timeout: number,
  meta: Members = {},
): Subscription {
  const outcome: { answer?: Answer } = {};
  const ended = new AbortController();
  const settings = { id, isCancelled: true, timeout, meta, signal: ended.signal };
  const answering = conversation.request(methodOf(revision, "listen"), { notifications }, settings);
  open.add(id);
  void answering.then((answer) => {
    open.delete(id);
    Object.assign(outcome, { answer });
  });
  return {
    answered: () => outcome.answer,
    async end() {
      if (conversation.transport !== "http" && !conversation.ending)
        await conversation.notify(methodOf(revision, "cancelled"), { requestId: id });
      ended.abort();
      await answering;
    },
  };
}

/** The maximum time for which subscriptions stay open during other requests, in milliseconds. */
const LISTENS_WITHIN = 120_000;

/**
 * Subscribes to all topics that a stateless server declares. If there are several, also subscribes to the last one
 * alone. Returns a function that ends the subscriptions.
 */
export async function listening(visit: Visit): Promise<() => Promise<void>> {
  const { revision, conversation } = visit;
  const row = rowOf(revision, "listen");
  const filter = row === undefined ? {} : filterOf(visit, row, true);
  const topics = Object.entries(filter);
  const filters = topics.length > 1 ? [filter, Object.fromEntries(topics.slice(-1))] : [filter];
  const opened =
    topics.length === 0 || conversation.ending
      ? []
      : filters.map((one, index) => subscribeTo(visit, one, LISTEN_ID + 1 + index, LISTENS_WITHIN));
  await conversation.quiet(60);
  return async () => {
    await conversation.quiet(60);
    for (const { end } of opened) await end();
  };
}

/**
 * Returns a filter with the topics that a server declares or, if `isDeclared` is false, with the others. For resources,
 * the filter contains the first resource's URI.
 */
function filterOf(visit: Visit, { conditions = [] }: Method, isDeclared: boolean): Members {
  const resources = familyOf(visit.revision, "resource");
  const uris = (resources === undefined ? [] : itemsOf(visit, resources))
    .map((item) => item[resources!.key])
    .filter((uri) => typeof uri === "string")
    .slice(0, 1);
  const filter: Record<string, unknown> = {};
  for (const { member, capability } of conditions) {
    const topic = member.split(".").at(-1)!;
    if (declares(visit.capabilities, capability) !== isDeclared) continue;
    if (!capability.endsWith(".subscribe")) filter[topic] = true;
    else if (uris.length > 0) filter[topic] = uris;
  }
  return filter;
}
