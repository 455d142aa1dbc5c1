import type { Wire } from "./wire-message.js";

/** Copies a value as JSON carries it. The copy shares strings, because some exceed a transport's limits. */
export function copyOf(value: Wire): Wire {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Wire) => copyOf(item ?? null));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, copyOf(member)]));
}
