import type { Method } from "../link/protocol.js";
import { hasStub } from "./engine-roles.js";
import { BASE_MEMBERS, FACADE_MEMBERS } from "./reserved-names.js";
import type { Side, Stub } from "./revision-plan.js";

/** Names that stubs cannot have, and the names that their iterators are derived from. */
export interface StubNaming {
  readonly members: ReadonlySet<string>;
  /** Name of the iterator over a list: `allTools`. */
  readonly pager: (member: string) => string;
}

/** Names in the client and the server of one revision. */
export const PINNED_NAMING: StubNaming = {
  members: BASE_MEMBERS,
  pager: (member) => `all${member.charAt(0).toUpperCase()}${member.slice(1)}`,
};

/** Names in the client for several revisions. */
export const FACADE_NAMING: StubNaming = { members: FACADE_MEMBERS, pager: (member) => member };

/**
 * Names the methods of a side's class: `CallToolRequest` becomes `callTool`, and `ToolListChangedNotification`
 * becomes `sendToolListChanged`. If the base class or another stub has that name, the suffix of the type is kept:
 * `closeRequest`.
 */
export function planStubs(
  methods: readonly Method[],
  side: Side,
  { members }: StubNaming = PINNED_NAMING,
): Stub[] {
  const own = methods.filter((method) => isSentBy(method, side) && hasStub(method));
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

/** `SetLevel` becomes `setLevel`, `URLCheck` becomes `urlCheck`. */
function camelCase(name: string): string {
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}
