import { META } from "@mcp-codegen/runtime";
import { isStateless } from "../../checks/check.js";
import { methodOf } from "../../checks/roles.js";
import { below, isMembers, member } from "../../tape/json-value.js";
import { type Answer, NOTHING } from "../conversation.js";
import { declares, placeOf, type Visit } from "../visit.js";
import { examineEnding, namesOf } from "./life.js";
import { keyOf } from "./lists.js";
import { familiesOf } from "./methods.js";
import { open, type Opening } from "./opening.js";

/** A revision in which a conversation was opened, with the results. */
export interface Spoken {
  readonly visit: Visit;
  readonly checks: Set<string>;
  readonly names: ReturnType<typeof namesOf>;
}

/**
 * Reports that a client without capabilities could not open a conversation. `isOpened` is true if the client succeeded
 * with another id, which makes the id the cause.
 */
export function reportBare(visit: Visit, answer: Answer, isOpened: boolean): void {
  visit.expect(isOpened ? "id-accepted" : "opening-answered", false, {
    ...placeOf(answer),
    expected: isOpened
      ? "a result, as for other ids than a string"
      : "a result, also for a client without capabilities",
  });
}

/**
 * Opens a conversation with an unknown member in `clientInfo`, and rejects all server requests other than pings.
 * Neither may cause the server to end.
 */
export async function openOdd(visit: Visit, timeout: number): Promise<Opening> {
  const { conversation, expect } = visit;
  conversation.manner = "fail";
  const opening = await open(visit, timeout, { info: { [NOTHING]: true } });
  if (opening.kind === "failed" && opening.answer.kind === "error")
    expect("members-tolerated", false, {
      ...placeOf(opening.answer),
      expected: "a result: unknown capabilities and members are ignored",
    });
  if (opening.kind === "open" && !isStateless(visit.revision)) {
    // Any requests that the session causes arrive before the response to a ping.
    await conversation.request(methodOf(visit.revision, "ping"));
    await conversation.quiet(60);
    examineEnding(visit, conversation.ending);
  }
  conversation.manner = "accept";
  return opening;
}

/** Checks that every result from a stateless server names the server. */
export function examineNames(visit: Visit): void {
  const { revision, conversation } = visit;
  if (!isStateless(revision)) return;
  const [nameless] = conversation.since(0).filter(({ message }) => isNameless(message));
  visit.expect("server-named", nameless === undefined, {
    line: nameless,
    pointer: below("/result/_meta", META.serverInfo),
    received: undefined,
  });
}

function isNameless(message: unknown): boolean {
  const result = member(message, "result");
  return isMembers(result) && member(result["_meta"], META.serverInfo) === undefined;
}

/** Reads a list without prior discovery, which a stateless server must not require. */
export async function readUndiscovered(
  { conversation, revision, expect }: Visit,
  first: Visit,
): Promise<void> {
  const family = familiesOf(revision).find((one) => first.lists.has(one));
  if (family === undefined) return;
  conversation.speak(revision);
  const answer = await conversation.request(family.list);
  const isServed = answer.kind === "result" || answer.kind === "closed";
  const expected = `the result of ${family.list}, also before server/discover`;
  if (!expect("list-varies", isServed, { ...placeOf(answer), expected })) return;
  const items = answer.kind === "result" ? answer.result[family.name] : undefined;
  if (!Array.isArray(items) || first.later.has(family.name)) return;
  const names = items.map((item) => keyOf(item, family)).toSorted();
  const known = first.lists.get(family)!.slice(0, items.length);
  const before = known.map(({ item }) => keyOf(item, family)).toSorted();
  expect("list-varies", names.join("\n") === before.join("\n"), {
    ...placeOf(answer),
    pointer: `/result/${family.name}`,
    expected: `the same before server/discover: ${before.join(", ")}`,
    received: names.join(", "),
  });
}

/**
 * Compares each list with the same list in an earlier conversation. If calls changed the earlier list, only its changed
 * state counts.
 */
export function compareLists(visit: Visit, first: Visit): void {
  const before = namesOf(first);
  for (const [list, names] of namesOf(visit)) {
    const after = first.later.get(list) ?? names;
    // A process may change a list for all its clients, provided that it announces changes.
    const isLocal = visit.conversation.transport === "stdio";
    const isOpen = isLocal && declares(visit.capabilities, `server.${list}.listChanged`);
    visit.expect("list-varies", isOpen || names.join("\n") === after.join("\n"), {
      pointer: `/result/${list}`,
      expected: `the same for each connection: ${names.join(", ")}`,
      received: `${after.join(", ")}, after other requests`,
    });
    if (first.later.has(list)) continue;
    const known = before.get(list) ?? [];
    visit.expect("list-varies", names.join("\n") === known.join("\n"), {
      pointer: `/result/${list}`,
      expected: `the same in each conversation: ${known.join(", ")}`,
      received: names.join(", "),
    });
  }
}

export function compareRevisions([first, ...others]: readonly Spoken[]): void {
  if (first === undefined) return;
  for (const other of others) {
    for (const [list, names] of other.names) {
      const before = first.names.get(list) ?? [];
      const more = names.filter((name) => !before.includes(name));
      const fewer = before.filter((name) => !names.includes(name));
      other.visit.expect("revision-differs", more.length + fewer.length === 0, {
        pointer: `/result/${list}`,
        expected: `the ${list} of ${first.visit.revision.id}`,
        received: [
          ...more.map((name) => `${name} in addition`),
          ...fewer.map((name) => `no ${name}`),
        ].join(", "),
      });
    }
  }
}
