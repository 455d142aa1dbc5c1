import type { Method } from "../link/protocol.js";
import { hasStub } from "./engine-roles.js";
import { BASE_MEMBERS } from "./reserved-names.js";
import type { Side, Stub } from "./revision-plan.js";

/**
 * Names the methods of a side's class: `CallToolRequest` gives `callTool`, and
 * `ToolListChangedNotification` gives `sendToolListChanged`. Where that is taken, by the base class
 * or by another stub, the suffix of the type stays on: `closeRequest`.
 */
export function planStubs(methods: readonly Method[], side: Side): Stub[] {
  const own = methods.filter((method) => isSentBy(method, side) && hasStub(method));
  const short = own.map(shortName);
  return own.map((method, index) => {
    const name = short[index]!;
    const taken = BASE_MEMBERS.has(name) || short.indexOf(name) !== short.lastIndexOf(name);
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

/** `SetLevel` gives `setLevel`, `URLCheck` gives `urlCheck`. */
function camelCase(name: string): string {
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}
