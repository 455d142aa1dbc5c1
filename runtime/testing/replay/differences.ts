import { isMasked } from "../tape/index.js";

/** Place where two values differ. */
export interface Difference {
  readonly pointer: string;
  readonly recorded: unknown;
  readonly received: unknown;
}

/** Number of differences that are looked for. */
const MOST = 100;

/**
 * Places where a received value differs from a recorded one, in the order of the recorded one. A masked value is equal to every
 * text.
 */
export function differencesOf(recorded: unknown, received: unknown): readonly Difference[] {
  const found: Difference[] = [];
  compare("", recorded, received, found);
  return found;
}

function compare(pointer: string, recorded: unknown, received: unknown, found: Difference[]): void {
  if (found.length >= MOST || Object.is(recorded, received)) return;
  if (isMasked(recorded) && received !== undefined) return;
  const isPair =
    typeof recorded === "object" &&
    typeof received === "object" &&
    recorded !== null &&
    received !== null &&
    Array.isArray(recorded) === Array.isArray(received);
  if (!isPair) {
    found.push({ pointer, recorded, received });
    return;
  }
  const names = new Set([...Object.keys(recorded), ...Object.keys(received)]);
  for (const name of names) {
    const escaped = name.replaceAll("~", "~0").replaceAll("/", "~1");
    compare(`${pointer}/${escaped}`, own(recorded, name), own(received, name), found);
  }
}

function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Text of a value for an error, cut. */
export function quoted(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? "nothing");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
