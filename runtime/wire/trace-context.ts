import { report } from "./issues.js";
import { isObject } from "./validate.js";
import type { Trace } from "./validation.js";

/** Tests of the members of `_meta` that carry trace context, by name (W3C Trace Context, W3C Baggage). */
const MEMBERS: readonly (readonly [string, string, (value: string) => boolean])[] = [
  ["traceparent", "traceparent as W3C Trace Context has it", isTraceParent],
  ["tracestate", "tracestate as W3C Trace Context has it", isTraceState],
  ["baggage", "baggage as W3C Baggage has it", isBaggage],
];

/** Names of the members of `_meta` that carry trace context. */
export const TRACE_MEMBERS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ MEMBERS.map(([name]) => name),
);

const MAX_TEXT = 8192;

/** True when the trace context in a `_meta` has the formats of W3C. Adds its issues to the trace. */
export function hasTraceContext(meta: unknown, trace?: Trace): boolean {
  if (!isObject(meta)) return true;
  let passes = true;
  for (const [name, expected, has] of MEMBERS) {
    const value = meta[name];
    if (value === undefined) continue;
    if (typeof value === "string" && value.length <= MAX_TEXT && has(value)) continue;
    passes = false;
    if (trace === undefined) break;
    report(trace, meta, name, expected);
  }
  return passes;
}

/** Version, trace, parent, flags; later versions may have more. */
function isTraceParent(value: string): boolean {
  const match = /^([\da-f]{2})-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/.exec(
    value,
  );
  return match !== null && match[1] !== "ff" && (match[1] !== "00" || match[2] === undefined);
}

function isTraceState(value: string): boolean {
  const members = value.split(",").map((member) => member.trim());
  return members.every((member) => member === "" || TRACE_STATE.test(member));
}

function isBaggage(value: string): boolean {
  return value.split(",").every((member) => {
    const [pair = "", ...properties] = member.split(";").map((part) => part.trim());
    return PAIR.test(pair) && properties.every((one) => TOKEN.test(one) || PAIR.test(one));
  });
}

const TRACE_STATE =
  /^(?:[a-z][\w*/-]{0,255}|[a-z\d][\w*/-]{0,240}@[a-z][\w*/-]{0,13})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const PAIR = /^[\w!#$%&'*+.^`|~-]+[ \t]*=[ \t]*[!#-+\--:<-[\]-~]*$/;
