import type { JsonValue } from "../../link/protocol.js";
import { type Code, code, join } from "./code.js";
import { escapeString } from "./escape.js";

/** A JSON value as an expression (or, where it is a scalar, as a literal type). */
export function literal(value: JsonValue): Code {
  if (typeof value === "string") return { parts: [escapeString(value)] };
  if (typeof value !== "object" || value === null) return { parts: [JSON.stringify(value)] };
  if (isList(value)) return code`[${join(value.map(literal), code`, `)}]`;
  const entries = Object.entries(value).map(
    ([key, item]) => code`${objectKey(key)}: ${literal(item)}`,
  );
  return entries.length === 0 ? code`{}` : code`{ ${join(entries, code`, `)} }`;
}

/** A member's name in an object type. */
export function memberName(name: string): Code {
  return { parts: [/^[A-Za-z_$][\w$]*$/.test(name) ? name : escapeString(name)] };
}

/** A key of an object expression: computed for `__proto__`, which would otherwise set the prototype. */
export function objectKey(name: string): Code {
  return name === "__proto__" ? code`[${literal(name)}]` : memberName(name);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
