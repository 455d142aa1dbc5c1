/** Effect of an operator (RFC 6570, appendix A) on the values of its expression. */
export interface Operator {
  /** Written before the first value; an expression without values is empty. */
  readonly first: string;
  readonly separator: string;
  /** True when each value follows its name. */
  readonly named: boolean;
  /** True when values may contain reserved characters unencoded. */
  readonly reserved: boolean;
  /** Characters that end a value, whatever follows. */
  readonly delimiters: string;
}

const PATH_DELIMITERS = "/?#";

const SIMPLE: Operator = {
  first: "",
  separator: ",",
  named: false,
  reserved: false,
  delimiters: PATH_DELIMITERS,
};

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["+", { ...SIMPLE, reserved: true, delimiters: "" }],
  ["#", { ...SIMPLE, first: "#", reserved: true, delimiters: "" }],
  [".", { ...SIMPLE, first: ".", separator: "." }],
  ["/", { ...SIMPLE, first: "/", separator: "/" }],
  [";", { ...SIMPLE, first: ";", separator: ";", named: true, delimiters: `;${PATH_DELIMITERS}` }],
  ["?", { ...SIMPLE, first: "?", separator: "&", named: true, delimiters: "&#" }],
  ["&", { ...SIMPLE, first: "&", separator: "&", named: true, delimiters: "&#" }],
]);

/** The operator that an expression starts with; undefined when it starts with a variable. */
export function operatorAt(expression: string): Operator | undefined {
  return OPERATORS.get(expression.charAt(0));
}

export const simpleOperator: Operator = SIMPLE;
