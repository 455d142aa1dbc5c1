import type { MethodFamily } from "@mcp-codegen/runtime";
import type { TapeLine } from "../../tape/index.js";
import type { Answer } from "../conversation.js";
import {
  ask,
  codeOf,
  declares,
  isSettled,
  lineOf,
  type Listed,
  placeOf,
  showAnswer,
  type Visit,
} from "../visit.js";
import { familiesOf } from "./methods.js";
import { isStateless } from "../../checks/check.js";
import { isMembers } from "../../tape/json-value.js";

/** Maximum number of pages of one list that are read. */
const MOST_PAGES = 200;

/** Reads every list of a server to its end. */
export async function readLists(visit: Visit): Promise<void> {
  for (const family of familiesOf(visit.revision)) {
    if (visit.conversation.ending) return;
    if (declares(visit.capabilities, family.capability)) await readList(visit, family);
    else await readUndeclared(visit, family);
  }
}

async function readList(visit: Visit, family: MethodFamily): Promise<void> {
  const { conversation } = visit;
  const listed: Listed[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  visit.lists.set(family, listed);
  for (let page = 1; ; page++) {
    const answer = await conversation.request(family.list, cursor === undefined ? {} : { cursor });
    if (answer.kind !== "result") {
      const isOptional = family.templatesOf !== undefined && codeOf(answer) === -32601;
      const place = {
        line: lineOf(answer),
        pointer: "/error",
        expected: `a result of ${family.list}, as the capability is declared`,
      };
      if (answer.kind === "silence") isSettled(visit, answer, family.list);
      else if (!isOptional && answer.kind !== "closed")
        visit.expect("list-unserved", false, { ...place, received: showAnswer(answer) });
      return;
    }
    const { line, result } = answer;
    const items = result[family.name];
    if (Array.isArray(items)) listed.push(...listedIn(items, line, family));
    const { nextCursor } = result;
    if (nextCursor === undefined || typeof nextCursor !== "string") break;
    const pointer = "/result/nextCursor";
    if (cursors.has(nextCursor)) {
      visit.endless.add(family);
      return;
    }
    if (
      !visit.expect("list-endless", page < MOST_PAGES, {
        line,
        pointer,
        received: `more than ${page} pages`,
      })
    )
      return;
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  await readWithMeta(visit, family);
  if (listed.length < 2) return;
  // With few items, a random order often repeats by chance, so the list is read twice more.
  for (const _ of [1, 2]) await readAgain(visit, family, listed);
  const [first] = cursors;
  if (first === undefined) return;
  const again = await conversation.request(family.list, { cursor: first });
  const place = { ...placeOf(again), expected: `the page of the cursor ${first}, as before` };
  visit.expect("cursor-stable", again.kind !== "error", place);
}

/** Requests the first page with a progress token, which does not make it a request for another page. */
async function readWithMeta(visit: Visit, { list }: MethodFamily): Promise<void> {
  const meta = { progressToken: `doctor-list-${visit.conversation.position}` };
  const answer = await ask(visit, list, {}, { meta });
  if (answer === undefined) return;
  const expected = "a result, as without a progress token";
  visit.expect("members-tolerated", answer.kind !== "error", { ...placeOf(answer), expected });
}

/** Requests the first page again: if it has the same items, they must be in the same order. */
async function readAgain(
  visit: Visit,
  family: MethodFamily,
  listed: readonly Listed[],
): Promise<void> {
  const answer = await visit.conversation.request(family.list);
  if (answer.kind !== "result") return;
  const items = answer.result[family.name];
  if (!Array.isArray(items)) return;
  const keys = items.map((item) => keyOf(item, family));
  const before = listed.slice(0, items.length).map(({ item }) => keyOf(item, family));
  const isSameSet = keys.toSorted().join("\n") === before.toSorted().join("\n");
  const received = keys.join(", ");
  visit.expect("list-order", !isSameSet || keys.join("\n") === before.join("\n"), {
    line: answer.line,
    pointer: `/result/${family.name}`,
    expected: `the same order as before: ${before.join(", ")}`,
    received,
  });
}

/** Requests a list whose capability is not declared, which must not be served. */
async function readUndeclared(visit: Visit, family: MethodFamily): Promise<void> {
  if (family.templatesOf !== undefined || family.use === undefined) return;
  const answer = await visit.conversation.request(family.list);
  const items = answer.kind === "result" ? answer.result[family.name] : undefined;
  const isServed = Array.isArray(items) && items.length > 0;
  if (answer.kind === "silence") isSettled(visit, answer, family.list);
  if (isStateless(visit.revision)) expectUnserved(visit, answer, family.list);
  if (isServed && answer.kind === "result") {
    visit.lists.set(family, listedIn(items, answer.line, family));
  }
}

/** Checks that an error about a method whose capability is not declared is -32601. */
export function expectUnserved(visit: Visit, answer: Answer, method: string): void {
  const isOther = answer.kind === "error" && codeOf(answer) !== -32601;
  const expected = `the error -32601, as the capability of ${method} is not declared`;
  visit.expect("capability-refused", !isOther, { ...placeOf(answer), expected });
}

/**
 * Reads the lists again after tools were called: a change must have been announced if the server declares that it
 * announces changes.
 * @param n - number of the last line before the calls
 */
export async function readAfterCalls(visit: Visit, n: number): Promise<void> {
  const { conversation, capabilities } = visit;
  for (const [family, listed] of visit.lists) {
    const { changed, capability, list } = family;
    if (changed === undefined || family.templatesOf !== undefined) continue;
    if (visit.endless.has(family) || !declares(capabilities, capability)) continue;
    const names = await namesIn(visit, family);
    if (names === undefined) return;
    const before = listed.map(({ item }) => keyOf(item, family)).toSorted();
    if (names.join("\n") === before.join("\n")) continue;
    visit.later.set(family.name, names);
    const isNotified = conversation
      .since(n)
      .some(({ message }) => isMembers(message) && message["method"] === changed);
    const isSilent = !declares(capabilities, `${capability}.listChanged`);
    visit.expect("change-announced", isNotified || isSilent, {
      expected: `${changed}, as ${list} has changed during a call`,
      received: "no such notification",
    });
  }
}

/** Returns the names of all items of a list; undefined if it cannot be read. */
async function namesIn(visit: Visit, family: MethodFamily): Promise<string[] | undefined> {
  const names: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(visit, family.list, cursor === undefined ? {} : { cursor });
    const items = answer?.kind === "result" ? answer.result[family.name] : undefined;
    if (answer?.kind !== "result" || !Array.isArray(items)) return undefined;
    names.push(...items.map((item) => keyOf(item, family)));
    cursor = answer.result["nextCursor"];
    if (cursor === undefined) return names.toSorted();
  }
  return undefined;
}

/** Returns the items of a page, each with its JSON pointer in the response. */
function listedIn(
  items: readonly unknown[],
  line: TapeLine,
  { name }: MethodFamily,
): readonly Listed[] {
  return items.map((item, index) => ({ item, line, pointer: `/result/${name}/${index}` }));
}

/** Returns the key of an item as text. */
export function keyOf(item: unknown, { key }: MethodFamily): string {
  return String((item as Record<string, unknown> | null)?.[key]);
}
