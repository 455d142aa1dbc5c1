import type { Method, Role } from "../link/protocol.js";
import { BASE_MEMBERS, FACADE_MEMBERS, FACADE_STUBS } from "./reserved-names.js";
import type { Side, Stub } from "./revision-plan.js";
import type { Shapes } from "../model/shape.js";
import { type List, listsOf } from "./families.js";

/** Naming rules for stubs and their iterators. Stubs must not use a name from `members`. */
export interface StubNaming {
  readonly members: ReadonlySet<string>;
  readonly pager: (member: string) => string;
  readonly inherited: ReadonlySet<string>;
}

/** Naming rules for the client and the server of one revision. */
export const PINNED_NAMING: StubNaming = {
  members: BASE_MEMBERS,
  pager: (member) => `all${member.charAt(0).toUpperCase()}${member.slice(1)}`,
  inherited: new Set(),
};

/** Naming rules for the multi-revision client. */
export const FACADE_NAMING: StubNaming = {
  members: FACADE_MEMBERS,
  pager: (member) => member,
  inherited: FACADE_STUBS,
};

/**
 * Names the methods of a side's class: `CallToolRequest` becomes `callTool`, and `ToolListChangedNotification` becomes
 * `sendToolListChanged`. If the base class or another stub already has that name, the type's suffix is kept:
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
 * Adds an iterator to each stub of a paginated request. The iterator is named after what the request lists, such as
 * `allTools` for `tools`, or after the request if that name is taken, such as `allSearchTools`. If several requests
 * list the same member, the one for `…/list` takes precedence.
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

/** Returns the only required array in a paginated request's result, or undefined if the result has alternatives. */
function pagedList(method: Method, shapes: Shapes): List | undefined {
  if (!method.paginated || !method.result || method.result.alternatives.length > 0)
    return undefined;
  const lists = listsOf(method, shapes);
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * Roles of the messages that only the engine sends: the handshake; cancellation, which is triggered by an
 * `AbortSignal`; and subscription messages, for which the runtime has its own method.
 */
const SENT_BY_ENGINE: ReadonlySet<Role> = new Set([
  "initialize",
  "initialized",
  "cancelled",
  "listen",
  "acknowledged",
]);

export function hasStub({ role, channel }: Method): boolean {
  return channel === "wire" && !(role && SENT_BY_ENGINE.has(role));
}

/** Returns true if the receiving side may handle the message. Messages with a role are handled by the engine itself. */
export function hasHandler({ role }: Method): boolean {
  return role === undefined;
}

export function mayAskFirst({ result }: Method): boolean {
  return result?.alternatives.some(({ when }) => when === "input_required") ?? false;
}
