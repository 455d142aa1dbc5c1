import type { MethodFamily } from "@mcp-codegen/runtime";
import type { TapeLine } from "../../tape/index.js";
import {
  codeOf,
  declares,
  isSettled,
  lineOf,
  type Listed,
  showAnswer,
  type Visit,
} from "../visit.js";
import { familiesOf } from "./methods.js";

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
  await readAgain(visit, family, listed);
}

/** Requests the first page again: if it has the same items, they must be in the same order. */
async function readAgain(
  visit: Visit,
  family: MethodFamily,
  listed: readonly Listed[],
): Promise<void> {
  if (listed.length < 2) return;
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
  if (isServed && answer.kind === "result") {
    visit.lists.set(family, listedIn(items, answer.line, family));
  }
}

/** Returns the items of a page with their places in the response. */
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
