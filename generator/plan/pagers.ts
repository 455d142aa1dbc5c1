import type { Method } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { type List, listsOf } from "./families.js";
import type { Stub } from "./revision-plan.js";
import { PINNED_NAMING, type StubNaming } from "./stubs.js";

/**
 * Adds an iterator to each stub of a paginated request, named after what it lists: `tools` becomes `allTools`. If
 * that is taken, it is named after the request: `allSearchTools`. If there are several, the one for `…/list` has
 * precedence.
 */
export function withPagers(
  stubs: readonly Stub[],
  shapes: Shapes,
  { members, pager }: StubNaming = PINNED_NAMING,
): Stub[] {
  const lists = stubs.map(({ method }) => pagedList(method, shapes));
  const short = lists.map((list) => list && pager(list.member));
  const stubNames = new Set(stubs.map(({ name }) => name));
  // A request that searches a list must not use the name of the one that lists it.
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

/** List in the pages of a request: the only array that its result requires. */
function pagedList(method: Method, shapes: Shapes): List | undefined {
  if (!method.paginated || !method.result || method.result.alternatives.length > 0)
    return undefined;
  const lists = listsOf(method, shapes);
  return lists.length === 1 ? lists[0] : undefined;
}
