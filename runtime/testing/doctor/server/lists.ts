import type { MethodFamily } from "@mcp-codegen/runtime";
import type { TapeLine } from "../../tape/index.js";
import type { Answer } from "../conversation.js";
import {
  ask,
  codeOf,
  declares,
  isListening,
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

/** The maximum number of pages to read from one list. */
const MOST_PAGES = 200;

/** Reads the lists that a server declares, and requests the others. */
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
    ) {
      visit.endless.add(family);
      return;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  await readWithMeta(visit, family);
  if (listed.length < 2) return;
  // A random order of few items often repeats by chance, so the list is read twice more.
  for (const _ of [1, 2]) await readAgain(visit, family, listed);
  const [first] = cursors;
  if (first === undefined) return;
  const again = await conversation.request(family.list, { cursor: first });
  const place = { ...placeOf(again), expected: `the page of the cursor ${first}, as before` };
  visit.expect("cursor-stable", again.kind !== "error", place);
}

/** Requests the first page with a progress token, which must not change the result. */
async function readWithMeta(visit: Visit, { list }: MethodFamily): Promise<void> {
  const meta = { progressToken: `doctor-list-${visit.conversation.position}` };
  const answer = await ask(visit, list, {}, { meta });
  if (answer === undefined) return;
  const expected = "a result, as without a progress token";
  visit.expect("members-tolerated", answer.kind !== "error", { ...placeOf(answer), expected });
}

/** Requests the first page again. The same items must be in the same order. */
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

/**
 * Requests a list whose capability is not declared. Any items that the server returns are examined as if they were
 * declared.
 */
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

/** Checks the error for a method whose capability is not declared. Another check reports a result. */
export function expectUnserved(visit: Visit, answer: Answer, method: string): void {
  const isOther = answer.kind === "error" && codeOf(answer) !== -32601;
  const expected = `the error -32601, as the capability of ${method} is not declared`;
  visit.expect("capability-refused", !isOther, { ...placeOf(answer), expected });
}

/**
 * Reads the lists again after their items have been used. A server that declares `listChanged` must have announced any
 * change.
 *
 * @param n - the number of the last tape line before the items were used
 */
export async function readAfterUse(visit: Visit, n: number): Promise<void> {
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
    const isSilent = !declares(capabilities, `${capability}.listChanged`) || !isListening(visit);
    visit.expect("change-announced", isNotified || isSilent, {
      expected: `${changed}, as ${list} has changed during a call`,
      received: "no such notification",
    });
  }
}

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

function listedIn(
  items: readonly unknown[],
  line: TapeLine,
  { name }: MethodFamily,
): readonly Listed[] {
  return items.map((item, index) => ({ item, line, pointer: `/result/${name}/${index}` }));
}

export function keyOf(item: unknown, { key }: MethodFamily): string {
  return String((item as Record<string, unknown> | null)?.[key]);
}
