import type { Method } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { type List, listsOf } from "./families.js";
import type { Stub } from "./revision-plan.js";
import { PINNED_NAMING, type StubNaming } from "./stubs.js";

/**
 * Adds an iterator to each stub whose result comes in pages, named after what it lists: `tools` gives
 * `allTools`. Where that is taken, it is named after the request: `allSearchTools`. Of several, the one for `…/list` has it.
 */
export function withPagers(
  stubs: readonly Stub[],
  shapes: Shapes,
  { members, pager }: StubNaming = PINNED_NAMING,
): Stub[] {
  const lists = stubs.map(({ method }) => pagedList(method, shapes));
  const short = lists.map((list) => list && pager(list.member));
  const stubNames = new Set(stubs.map(({ name }) => name));
  // A request that searches a list must not take the name from the one that lists it.
  const isList = (index: number): boolean => stubs[index]!.method.method.endsWith("/list");
  return stubs.map((stub, index) => {
    const [list, name] = [lists[index], short[index]];
    if (list === undefined || name === undefined) return stub;
    const rivals = [...short.keys()].filter((other) => other !== index && short[other] === name);
    const isRivalled = isList(index) ? rivals.some(isList) : rivals.length > 0;
    const taken = members.has(name) || stubNames.has(name) || isRivalled;
    return { ...stub, pager: { ...list, name: taken ? `all${stub.method.base}` : name } };
  });
}

/** List that the pages of a request hold: the one array that its result requires. */
function pagedList(method: Method, shapes: Shapes): List | undefined {
  if (!method.paginated || !method.result || method.result.alternatives.length > 0)
    return undefined;
  const lists = listsOf(method, shapes);
  return lists.length === 1 ? lists[0] : undefined;
}
