import { compile, type Program } from "./program.js";
import { parseTemplate, type TemplatePart } from "./parse-template.js";
import { readValues, type TemplateMatch } from "./read-values.js";
import { run } from "./run-program.js";
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
    const [first] = parts;
    this.#start = typeof first === "string" ? toAscii(first)!.replace(/%.*/, "") : "";
  }

  /** The values of the variables in a URI; undefined when it is not of this family. */
  match(uri: string): TemplateMatch | undefined {
    const text = toAscii(uri);
    if (text === undefined || !text.startsWith(this.#start)) return undefined;
    const captured = run(this.#program, text);
    return captured && readValues(this.#program.captures, text, captured);
  }
}

function namesOf(parts: readonly TemplatePart[]): string[] {
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}
