import { quote } from "../../wire/index.js";

/** An operator's effect on the expansion of its expression (RFC 6570, appendix A). */
export interface Operator {
  /** The text that precedes the first value. An expression without values expands to nothing. */
  readonly first: string;
  readonly separator: string;
  /** True if each value is preceded by its name, as in a query. */
  readonly named: boolean;
  /** The characters that a value cannot contain. */
  readonly stops: string;
}

export interface Variable {
  readonly name: string;
  /** True for `{x*}`, whose value is a list. */
  readonly explode: boolean;
  /** The maximum number of the value's characters that are written, as in `{x:3}`; undefined for all. */
  readonly prefix: number | undefined;
}

export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

export type TemplatePart = string | Expression;

/** The maximum length of a template, in UTF-16 units. */
const MAX_TEMPLATE = 4096;

const RESERVED_OPERATORS = "=,!@|";

const VARIABLE =
  /^((?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9]\d{0,3}))?$/;

// oxlint-disable-next-line no-control-regex
const NOT_LITERAL = /[\0- "<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})/;

const SIMPLE: Operator = { first: "", separator: ",", named: false, stops: "/?#" };

const OPERATORS: Readonly<Record<string, Operator>> = {
  "+": { ...SIMPLE, stops: "" },
  "#": { ...SIMPLE, first: "#", stops: "" },
  ".": { ...SIMPLE, first: ".", separator: "." },
  "/": { ...SIMPLE, first: "/", separator: "/" },
  ";": { first: ";", separator: ";", named: true, stops: "/?#" },
  "?": { first: "?", separator: "&", named: true, stops: "#" },
  "&": { first: "&", separator: "&", named: true, stops: "#" },
};

/**
 * Splits a URI template into its parts (RFC 6570, all four levels).
 * @throws TypeError if the template is invalid
 */
export function parseTemplate(template: string): TemplatePart[] {
  if (template.length > MAX_TEMPLATE) {
    throw invalidTemplate(template, 0, `it is longer than ${MAX_TEMPLATE} characters`);
  }
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf("{", position);
    const end = open < 0 ? template.length : open;
    if (end > position) parts.push(parseLiteral(template, position, end));
    if (open < 0) break;
    const close = template.indexOf("}", open);
    if (close < 0) throw invalidTemplate(template, open, "the brace is never closed");
    parts.push(parseExpression(template, open + 1, close));
    position = close + 1;
  }
  return parts;
}

export function invalidTemplate(template: string, position: number, problem: string): TypeError {
  return new TypeError(`Invalid URI template ${quote(template)}, at ${position}: ${problem}`);
}

function parseLiteral(template: string, start: number, end: number): string {
  const literal = template.slice(start, end);
  const wrong = literal.search(NOT_LITERAL);
  if (wrong >= 0) {
    const what = literal.charAt(wrong) === "%" ? "a lone %" : quote(literal.charAt(wrong));
    throw invalidTemplate(template, start + wrong, `${what} cannot be part of a URI`);
  }
  return literal;
}

function parseExpression(template: string, start: number, end: number): Expression {
  const text = template.slice(start, end);
  if (text === "") throw invalidTemplate(template, start, "the expression is empty");
  if (RESERVED_OPERATORS.includes(text.charAt(0))) {
    throw invalidTemplate(template, start, `${quote(text.charAt(0))} is not an operator`);
  }
  const operator = OPERATORS[text.charAt(0)];
  const list = operator ? text.slice(1) : text;
  const variables = list.split(",").map((variable) => {
    const match = VARIABLE.exec(variable);
    if (match === null)
      throw invalidTemplate(template, start, `${quote(variable)} is not a variable`);
    const [, name = "", star, prefix] = match;
    return { name, explode: star !== undefined, prefix: prefix ? Number(prefix) : undefined };
  });
  return { operator: operator ?? SIMPLE, variables };
}
