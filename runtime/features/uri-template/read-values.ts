import type { Variable } from "./parse-template.js";
import type { CapturedValue } from "./run-program.js";

/**
 * Values by variable name: text, or a list for an exploded variable (`{x*}`). Objects without a
 * prototype.
 */
export type TemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Variables of a template in one URI; undefined variables are missing. */
export interface TemplateMatch {
  /**
   * Decoded once. Whoever sent the URI decides what is in it: a value of `{x}` can well contain `/` or a NUL character,
   * and has to be checked before it names a file. Values of paths have no `..` segments, unless `upwards` lets them.
   */
  readonly values: TemplateValues;
  /** Percent-encoded values, as they are in the URI. */
  readonly raw: TemplateValues;
}

type Values = Record<string, string | string[]>;

/** Gives the captured texts to their variables; undefined when they contradict each other, or encode no text. */
export function readValues(
  variables: readonly Variable[],
  text: string,
  captured: readonly CapturedValue[],
): TemplateMatch | undefined {
  const values = Object.create(null) as Values;
  const raw = Object.create(null) as Values;
  const prefixes: (readonly [Variable, string, string])[] = [];
  for (const { capture, start, end } of captured) {
    const variable = variables[capture]!;
    const encoded = text.slice(start, end);
    const value = decode(encoded);
    if (value === undefined) return undefined;
    if (variable.prefix !== undefined) prefixes.push([variable, value, encoded]);
    else if (!assign(values, variable, value)) return undefined;
    else assign(raw, variable, encoded);
  }
  for (const [variable, value, encoded] of prefixes) {
    const whole = (values[variable.name] ??= value);
    raw[variable.name] ??= encoded;
    if (!isStart(whole, value, variable.prefix!)) return undefined;
  }
  return { values, raw };
}

/** False when the variable has another value already. */
function assign(values: Values, { name, explode }: Variable, value: string): boolean {
  const before = values[name];
  if (explode && Array.isArray(before)) before.push(value);
  else if (before === undefined) values[name] = explode ? [value] : value;
  else return before === value;
  return true;
}

/**
 * True when a value consists of the first `length` characters of another one, or of all when that
 * is shorter.
 */
function isStart(whole: string | readonly string[], value: string, length: number): boolean {
  if (typeof whole !== "string") return false;
  const characters = Array.from(whole.slice(0, 2 * length + 1)).slice(0, length);
  return characters.join("") === value;
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
