import type { Condition } from "../link/protocol.js";

/** Describes a condition: `client.elicitation.url, when mode is url`. */
export function conditionText(condition: Condition): string {
  const { capability, member, in: values, orAbsent, orEmpty, level, unmet } = condition;
  const what = values ? `is ${values.join(" or ")}` : "is present";
  const absent = orAbsent ? " or absent" : "";
  const empty = orEmpty ? `, or empty ${orEmpty}` : "";
  const advice = level === "should" ? " (recommended)" : "";
  const otherwise = unmet === "drop" ? " (left out otherwise)" : "";
  return `${capability}${empty}${advice}, when ${member} ${what}${absent}${otherwise}`;
}
