import { compile, type Program } from "./program.js";
import { parseTemplate, type TemplatePart } from "./parse-template.js";
import { readValues, type TemplateMatch } from "./read-values.js";
import { run } from "./run-program.js";
import { leadsUpwards } from "../../wire/index.js";
import { toAscii } from "./tokens.js";

/**
 * A URI template (RFC 6570, all four levels) for finding out whether a URI is one of its family, and with which
 * values. Time is linear in the length of the URI.
 *
 * - `{x}` and `{+x}` match at least one character, expressions with another operator also nothing.
 * - Values of `{?x,y}`, `{&x,y}` and `{;x,y}` can come in any order, each once.
 * - Characters that the expansion would have encoded are accepted as they are, but for those that end a value: `/`,
 *   `?` and `#`, in a query `&` and `#`; none for `{+x}` and `{#x}`.
 * - Where a URI can be read in several ways, earlier variables get as much as possible; but `{+x}`, `{#x}`, and those
 *   that an expression with an operator follows, as little: `{name}{.type}`.
 * - `{x*}` gives a list; that it could have been an associative array cannot be seen.
 */
export class UriTemplate {
  readonly template: string;
  /** Names of the variables, each once. */
  readonly variables: readonly string[];
  readonly #program: Program;
  readonly #pathVariables: ReadonlySet<string>;
  /**
   * Literal start of every matching URI; a quick test that rejects most URIs of other templates.
   */
  readonly #start: string;

  /** @throws TypeError for what is not a template */
  constructor(template: string) {
    const parts = parseTemplate(template);
    this.template = template;
    this.variables = namesOf(parts);
    this.#program = compile(parts);
    this.#pathVariables = new Set(namesOf(parts.filter(isInPath)));
    const [first] = parts;
    this.#start = typeof first === "string" ? toAscii(first)!.replace(/%.*/, "") : "";
  }

  /**
   * True when a matching URI leads out of the family once it is taken for a path: by `..` segments, also encoded ones, or
   * by a value of the path that only decoding makes an absolute one. Queries and fragments lead nowhere.
   */
  leadsAway(uri: string, { values, raw }: TemplateMatch): boolean {
    if (leadsUpwards(uri.replace(/[?#].*/s, ""))) return true;
    return [...this.#pathVariables].some((name) => {
      const encoded = listOf(raw[name]);
      return listOf(values[name]).some(
        (value, index) =>
          leadsUpwards(value) || (/^[/\\]/.test(value) && encoded[index]?.startsWith("%")),
      );
    });
  }

  /** The values of the variables in a URI; undefined when it is not of this family. */
  match(uri: string): TemplateMatch | undefined {
    const text = toAscii(uri);
    if (text === undefined || !text.startsWith(this.#start)) return undefined;
    const captured = run(this.#program, text);
    return captured && readValues(this.#program.captures, text, captured);
  }
}

/** True for literals, and for expressions that are neither of a query nor of a fragment. */
function isInPath(part: TemplatePart): boolean {
  return typeof part === "string" || !/^[?&#]/.test(part.operator.first);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : (value ?? []);
}

function namesOf(parts: readonly TemplatePart[]): string[] {
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}
