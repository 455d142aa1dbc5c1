import { ts } from "ts-morph";
import type { Context } from "./context.js";

const { SyntaxKind } = ts;

interface Refusal {
  readonly code: string;
  readonly what: string;
  readonly hint: string;
}

const FUNCTION: Refusal = {
  code: "MCG2057",
  what: "a function type",
  hint: "Only data travels on the wire; remove it.",
};

const KEYWORD: Refusal = {
  code: "MCG2050",
  what: "the type",
  hint: "It has no form in JSON; mark a member optional with `?`, or use `null`, `number` or `string`.",
};

const REFUSALS = new Map<ts.SyntaxKind, Refusal>([
  [SyntaxKind.UndefinedKeyword, KEYWORD],
  [SyntaxKind.VoidKeyword, KEYWORD],
  [SyntaxKind.BigIntKeyword, KEYWORD],
  [SyntaxKind.SymbolKeyword, KEYWORD],
  [SyntaxKind.IntrinsicKeyword, KEYWORD],
  [SyntaxKind.ThisType, KEYWORD],
  [
    SyntaxKind.ConditionalType,
    { code: "MCG2051", what: "a conditional type", hint: "Write out the resulting type." },
  ],
  [
    SyntaxKind.InferType,
    { code: "MCG2051", what: "a conditional type", hint: "Write out the resulting type." },
  ],
  [
    SyntaxKind.MappedType,
    {
      code: "MCG2052",
      what: "a mapped type",
      hint: "Write out the members, or use `{ [key: string]: T }`.",
    },
  ],
  [
    SyntaxKind.TypeOperator,
    {
      code: "MCG2053",
      what: "a type operator",
      hint: "Write out the resulting type, without `keyof`, `readonly` or `unique`.",
    },
  ],
  [
    SyntaxKind.TemplateLiteralType,
    {
      code: "MCG2055",
      what: "a template literal type",
      hint: "Use `string`, or list the literals.",
    },
  ],
  [
    SyntaxKind.TupleType,
    {
      code: "MCG2056",
      what: "a tuple type",
      hint: "Use an array, or an object with named members.",
    },
  ],
  [SyntaxKind.FunctionType, FUNCTION],
  [SyntaxKind.ConstructorType, FUNCTION],
]);

const LITERAL: Refusal = {
  code: "MCG2058",
  what: "the literal type",
  hint: "Literals are strings in quotes, numbers, `true`, `false` and `null`.",
};

const OTHER: Refusal = {
  code: "MCG2059",
  what: "the type",
  hint: "Use keywords, literals, names, arrays, unions, intersections and object types.",
};

/** Rejects a type without a meaning in a schema. */
export function refuseType(node: ts.TypeNode, context: Context): void {
  const { code, what, hint } =
    (ts.isLiteralTypeNode(node) ? LITERAL : REFUSALS.get(node.kind)) ?? OTHER;
  context.refuse(node, code, `A schema cannot use ${what} \`${context.quote(node)}\`.`, hint);
}
