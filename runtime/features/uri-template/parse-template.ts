import { quote } from "../../wire/index.js";
import { type Operator, operatorAt, simpleOperator } from "./operators.js";

/** One variable of an expression. */
export interface Variable {
  readonly name: string;
  /** `{x*}`: the value is a list. */
  readonly explode: boolean;
  /** `{x:3}`: at most so many characters of the value. */
  readonly prefix: number | undefined;
}

export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** Literal text, or an expression in braces. */
export type TemplatePart = string | Expression;

/** Longest template, in UTF-16 units. */
const MAX_TEMPLATE = 4096;

const RESERVED_OPERATORS = "=,!@|";

const VARIABLE =
  /^((?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9]\d{0,3}))?$/;

// oxlint-disable-next-line no-control-regex
const NOT_LITERAL = /[\0- "<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})/;

/**
 * Takes a URI template apart (RFC 6570, all four levels).
 * @throws TypeError when it is none; says where and why
 */
export function parseTemplate(template: string): TemplatePart[] {
  if (template.length > MAX_TEMPLATE) {
    throw invalid(template, 0, `it is longer than ${MAX_TEMPLATE} characters`);
  }
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf("{", position);
    const end = open < 0 ? template.length : open;
    if (end > position) parts.push(parseLiteral(template, position, end));
    if (open < 0) break;
    const close = template.indexOf("}", open);
    if (close < 0) throw invalid(template, open, "the brace is never closed");
    parts.push(parseExpression(template, open + 1, close));
    position = close + 1;
  }
  return parts;
}

function parseLiteral(template: string, start: number, end: number): string {
  const literal = template.slice(start, end);
  const wrong = literal.search(NOT_LITERAL);
  if (wrong >= 0) {
    const what = literal.charAt(wrong) === "%" ? "a lone %" : quote(literal.charAt(wrong));
    throw invalid(template, start + wrong, `${what} cannot be part of a URI`);
  }
  return literal;
}

function parseExpression(template: string, start: number, end: number): Expression {
  const text = template.slice(start, end);
  if (text === "") throw invalid(template, start, "the expression is empty");
  if (RESERVED_OPERATORS.includes(text.charAt(0))) {
    throw invalid(template, start, `${quote(text.charAt(0))} is no operator`);
  }
  const operator = operatorAt(text);
  const list = operator ? text.slice(1) : text;
  const variables = list.split(",").map((variable) => {
    const match = VARIABLE.exec(variable);
    if (match === null) throw invalid(template, start, `${quote(variable)} is no variable`);
    const [, name = "", star, prefix] = match;
    return { name, explode: star !== undefined, prefix: prefix ? Number(prefix) : undefined };
  });
  return { operator: operator ?? simpleOperator, variables };
}

function invalid(template: string, position: number, problem: string): TypeError {
  return new TypeError(`Invalid URI template ${quote(template)}, at ${position}: ${problem}`);
}
