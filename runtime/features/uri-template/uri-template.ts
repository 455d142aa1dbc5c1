import { leadsUpwards, quote, toAscii } from "../../wire/index.js";
import {
  type Expression,
  parseTemplate,
  type TemplatePart,
  type Variable,
} from "./parse-template.js";

/**
 * Values by variable name. Each is a string, or a list for an exploded variable (`{x*}`). The object has no prototype.
 */
export type TemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The values that a template's variables have in one URI. Variables without a value are missing. */
export interface TemplateMatch {
  /**
   * The values, percent-decoded once. The sender of the URI decides what they contain: a value of `{x}` can include `/`
   * or a NUL character, and must be checked before it is used as a file name. Values in a path have no `..` segments
   * unless `upwards` allows them.
   */
  readonly values: TemplateValues;
  /** The percent-encoded values, as they appear in the URI. */
  readonly raw: TemplateValues;
}

/**
 * An expression merged with the expressions that continue its list. It matches as one group of the regular expression.
 */
interface Run extends Expression {
  stops: string;
}

type Values = Record<string, string | string[]>;

/**
 * URI template (RFC 6570) that detects whether a URI belongs to its family, and reads the values of its variables.
 * It is compiled to one regular expression, which takes time linear in the length of the URI.
 *
 * - `{x}` and `{+x}` match at least one character; expressions with another operator can also be absent.
 * - Values of `{?x,y}`, `{&x,y}` and `{;x,y}` may be in any order, each once.
 * - Characters that an expansion would encode are accepted as they are, except those that end a value: `/`, `?` and
 *   `#`; in a query only `#`; in `{+x}` and `{#x}` none. A value also ends where the operator of the next expression
 *   begins: `{name}{.type}`.
 * - If a literal between two variables occurs several times, the last one separates them: `{a}-{b}`.
 * - `{x*}` results in a list, never in an associative array.
 */
export class UriTemplate {
  readonly template: string;
  /** The names of the variables, each listed once. */
  readonly variables: readonly string[];
  readonly #pattern: RegExp;
  readonly #runs: readonly Run[];
  readonly #pathVariables: readonly string[];

  /**
   * Parses a template.
   *
   * @throws TypeError if the template is invalid, or if its variables cannot be distinguished in a URI
   */
  constructor(template: string) {
    const parts = merged(template, parseTemplate(template));
    this.template = template;
    this.#runs = parts.filter((part) => typeof part !== "string");
    this.variables = namesOf(this.#runs);
    this.#pathVariables = namesOf(
      this.#runs.filter(({ operator }) => !/^[?&#]/.test(operator.first)),
    );
    this.#pattern = patternOf(parts);
  }

  /** Returns the values of the variables in a URI, or undefined if the URI does not belong to this family. */
  match(uri: string): TemplateMatch | undefined {
    const text = toAscii(uri);
    const found = text === undefined ? null : this.#pattern.exec(text);
    if (found === null) return undefined;
    const raw = Object.create(null) as Values;
    const values = Object.create(null) as Values;
    const fits = this.#runs.every((run, index) => {
      const group = found[index + 1];
      return group === undefined || read(run, group, raw, values);
    });
    return fits ? { values, raw } : undefined;
  }

  /**
   * Returns true if a matching URI leads out of the family when it is used as a path: through `..` segments, even
   * encoded ones, or through a value in the path that becomes an absolute path when it is decoded. Queries and
   * fragments are not examined, because they are not part of the path.
   */
  leadsAway(uri: string, { values, raw }: TemplateMatch): boolean {
    if (leadsUpwards(uri.replace(/[?#].*/s, ""))) return true;
    return this.#pathVariables.some((name) => {
      const encoded = [raw[name] ?? []].flat();
      return [values[name] ?? []]
        .flat()
        .some(
          (value, index) =>
            leadsUpwards(value) || (/^[/\\]/.test(value) && encoded[index]?.startsWith("%")),
        );
    });
  }
}

/**
 * Merges expressions that form one list, such as `{/a}{/b}` and `{?a}{&b}`, and ends each value where the next
 * expression begins.
 */
function merged(template: string, parts: readonly TemplatePart[]): (string | Run)[] {
  const joined: (string | Run)[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (typeof part === "string") {
      joined.push(part);
      continue;
    }
    const { operator, variables } = part;
    const run: Run = { ...part, stops: operator.stops };
    if (typeof before === "object" && continues(before, part)) {
      joined[joined.length - 1] = { ...before, variables: [...before.variables, ...variables] };
    } else if (typeof before === "object" && operator.first === "") {
      throw unclear(
        template,
        part,
        "follows another expression directly: put a literal between them",
      );
    } else {
      for (let index = joined.length - 1; typeof joined[index] === "object"; index -= 1) {
        (joined[index] as Run).stops += operator.first;
      }
      joined.push(run);
    }
  }
  for (const run of joined) if (typeof run === "object") assertClear(template, run);
  return joined;
}

function continues({ operator }: Expression, next: Expression): boolean {
  if (operator.named) return next.operator.named && next.operator.first === operator.separator;
  return operator.first !== "" && operator.first === next.operator.first;
}

function assertClear(template: string, run: Run): void {
  const { operator, variables } = run;
  if (variables.some(({ prefix }) => prefix !== undefined)) {
    throw unclear(template, run, "has a prefix, of which only a part is in the URI: leave it out");
  }
  if (!operator.named && variables.slice(0, -1).some(({ explode }) => explode)) {
    throw unclear(template, run, "has variables after a list: move the list to the end");
  }
}

function unclear(
  template: string,
  { operator, variables }: Expression,
  problem: string,
): TypeError {
  const names = variables.map(({ name, explode }) => name + (explode ? "*" : "")).join(",");
  const what = `{${operator.first}${names}}`;
  return new TypeError(
    `URIs cannot be matched with the template ${quote(template)}: ${what} ${problem}`,
  );
}

/**
 * Builds the regular expression for a template, with a group for each run. There is only one way to match, so matching
 * takes linear time. If a literal separates two values, its last occurrence is the separator, because the values after
 * it cannot contain the literal.
 */
function patternOf(parts: readonly (string | Run)[]): RegExp {
  let separator = "";
  const sources = parts.map((part, index) => {
    if (typeof part === "object") return groupOf(part, separator);
    const literal = toAscii(part)!;
    const isAmbiguous = parts
      .slice(0, index)
      .some((run) => typeof run === "object" && canContain(run, literal));
    separator = isAmbiguous ? literal : "";
    return sourceOf(literal);
  });
  return new RegExp(`^${sources.join("")}$`);
}

function canContain(run: Run, literal: string): boolean {
  const stops = stopsOf(run);
  return ![...literal].some((character) => stops.includes(character));
}

/**
 * Returns the characters that end the values of a run. A single value can contain the list separator if the operator
 * permits it, as can the joined items of a list.
 */
function stopsOf({ operator, variables, stops }: Run): string {
  if (operator.named || operator.first === "") return stops;
  if (isList(variables)) return stops.replaceAll(operator.separator, "");
  return variables.length === 1 ? stops : stops + operator.separator;
}

function isList(variables: readonly Variable[]): boolean {
  return variables.at(-1)!.explode;
}

function groupOf(run: Run, separator: string): string {
  const { operator, variables } = run;
  const isCharacter = separator.length === 1;
  const none = escaped(stopsOf(run) + (isCharacter ? separator : ""));
  const one = none === "" ? "[^]" : `[^${none}]`;
  const value = separator === "" || isCharacter ? one : `(?:(?!${sourceOf(separator)})${one})`;
  if (operator.first === "") return `(${value}+)`;
  const first = escaped(operator.first);
  if (operator.named) return `(?:${first}(${value}+))?`;
  const more = isList(variables) ? 0 : variables.length - 1;
  const others = more === 0 ? "" : `(?:${escaped(operator.separator)}${value}*){0,${more}}`;
  return `(?:${first}(${value}*${others}))?`;
}

function sourceOf(literal: string): string {
  return escaped(literal).replace(/%[0-9A-F]{2}/gi, (encoded) =>
    encoded.replace(/[A-F]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`),
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Assigns the text of a run to its variables. Returns false if the text does not match them. */
function read({ operator, variables }: Run, text: string, raw: Values, values: Values): boolean {
  if (operator.named) {
    return text.split(operator.separator).every((pair) => {
      const [name = ""] = pair.split("=", 1);
      const variable = variables.find((one) => one.name === name);
      return variable !== undefined && assign(variable, pair.slice(name.length + 1), raw, values);
    });
  }
  const isSingle = variables.length === 1 && !isList(variables);
  const items = isSingle ? [text] : text.split(operator.separator);
  if (items.length > variables.length && !isList(variables)) return false;
  return items.every((item, index) => {
    const isMissing = item === "" && operator.first === "";
    return !isMissing && assign(variables[index] ?? variables.at(-1)!, item, raw, values);
  });
}

function assign(
  { name, explode }: Variable,
  encoded: string,
  raw: Values,
  values: Values,
): boolean {
  const value = decoded(encoded);
  const before = values[name];
  if (value === undefined) return false;
  if (explode && Array.isArray(before)) {
    before.push(value);
    (raw[name] as string[]).push(encoded);
    return true;
  }
  if (before !== undefined) return before === value;
  values[name] = explode ? [value] : value;
  raw[name] = explode ? [encoded] : encoded;
  return true;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function namesOf(runs: readonly Run[]): string[] {
  return [...new Set(runs.flatMap(({ variables }) => variables.map(({ name }) => name)))];
}
