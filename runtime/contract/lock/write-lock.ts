import { INVISIBLE } from "../diff/invisible-characters.js";
import { sortedEntries } from "../index.js";
import type { LockFile } from "./lock-file.js";

/** Text of a lock file: identical for identical contracts, and without invisible characters. */
export function lockText(lock: LockFile): string {
  return `${pretty(lock, "")}\n`;
}

function pretty(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => pretty(item, inner))
    : sortedEntries(value).map(([name, member]) => `${scalar(name)}: ${pretty(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

function scalar(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
