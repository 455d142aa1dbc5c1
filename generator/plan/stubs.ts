import type { Method, Role } from "../link/protocol.js";
import { BASE_MEMBERS, FACADE_MEMBERS, FACADE_STUBS } from "./reserved-names.js";
import type { Side, Stub } from "./revision-plan.js";
import type { Shapes } from "../model/shape.js";
import { type List, listsOf } from "./families.js";

/** Names that stubs must not have, and how their iterators are named. */
export interface StubNaming {
  readonly members: ReadonlySet<string>;
  /** Returns the name of the iterator over a list: `allTools`. */
  readonly pager: (member: string) => string;
  /** Names of the stubs that the base class already has. */
  readonly inherited: ReadonlySet<string>;
}

/** Rules for names in the client and the server of one revision. */
export const PINNED_NAMING: StubNaming = {
  members: BASE_MEMBERS,
  pager: (member) => `all${member.charAt(0).toUpperCase()}${member.slice(1)}`,
  inherited: new Set(),
};

/** Rules for names in the client for several revisions. */
export const FACADE_NAMING: StubNaming = {
  members: FACADE_MEMBERS,
  pager: (member) => member,
  inherited: FACADE_STUBS,
};

/**
 * Names the methods of a side's class: `CallToolRequest` becomes `callTool`, and `ToolListChangedNotification`
 * becomes `sendToolListChanged`. If the base class or another stub has that name, the suffix of the type is kept:
 * `closeRequest`.
 */
export function planStubs(
  methods: readonly Method[],
  side: Side,
  { members, inherited }: StubNaming = PINNED_NAMING,
): Stub[] {
  const own = methods.filter(
    (method) => isSentBy(method, side) && hasStub(method) && !inherited.has(shortName(method)),
  );
  const short = own.map(shortName);
  return own.map((method, index) => {
    const name = short[index]!;
    const taken = members.has(name) || short.indexOf(name) !== short.lastIndexOf(name);
    return { name: taken ? longName(method) : name, method };
  });
}

export function isSentBy(method: Method, side: Side): boolean {
  return method.from === side || method.from === "both";
}

function shortName({ kind, base }: Method): string {
  return kind === "request" ? camelCase(base) : `send${base}`;
}

function longName(method: Method): string {
  return `${shortName(method)}${method.kind === "request" ? "Request" : "Notification"}`;
}

/** Returns a name in camel case: `setLevel` for `SetLevel`, `urlCheck` for `URLCheck`. */
function camelCase(name: string): string {
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

/**
 * Adds an iterator to each stub of a paginated request. It is named after what the request lists: `allTools` for
 * `tools`. If that name is taken, it is named after the request: `allSearchTools`. If several requests list the same
 * member, the one for `…/list` takes precedence.
 */
export function withPagers(
  stubs: readonly Stub[],
  shapes: Shapes,
  { members, pager }: StubNaming = PINNED_NAMING,
): Stub[] {
  const lists = stubs.map(({ method }) => pagedList(method, shapes));
  const short = lists.map((list) => list && pager(list.member));
  const stubNames = new Set(stubs.map(({ name }) => name));
  // A request that searches a list must not take the name from the request that lists it.
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

/**
 * Returns the member that a paginated request lists: the one required array in its result. Undefined if there is not
 * exactly one, or if the request can have another kind of result.
 */
function pagedList(method: Method, shapes: Shapes): List | undefined {
  if (!method.paginated || !method.result || method.result.alternatives.length > 0)
    return undefined;
  const lists = listsOf(method, shapes);
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * Roles of messages that only the engine sends: the handshake; cancellation, which an `AbortSignal` triggers; and
 * messages for a subscription, for which the runtime has a method of its own.
 */
const SENT_BY_ENGINE: ReadonlySet<Role> = new Set([
  "initialize",
  "initialized",
  "cancelled",
  "listen",
  "acknowledged",
]);

/** True if the class of the sending side has a method for this message. */
export function hasStub({ role, channel }: Method): boolean {
  return channel === "wire" && !(role && SENT_BY_ENGINE.has(role));
}

/** True if the receiving side may handle this message. Messages with a role are handled by the engine itself. */
export function hasHandler({ role }: Method): boolean {
  return role === undefined;
}

/** True if the server may return requests for input instead of the result. */
export function mayAskFirst({ result }: Method): boolean {
  return result?.alternatives.some(({ when }) => when === "input_required") ?? false;
}
