import { ts } from "ts-morph";
import type { Context } from "./context.js";

export function refuseStatement(node: ts.Statement, context: Context): void {
  const { name } = node as { name?: ts.Node };
  if (name && ts.isIdentifier(name)) context.refused.add(name.text);
  const { code, message, hint } = describe(node, context);
  context.refuse(name ?? node, code, message, hint);
}

function describe(node: ts.Statement, context: Context) {
  switch (node.kind) {
    case ts.SyntaxKind.EnumDeclaration:
      return {
        code: "MCG2011",
        message: "A schema cannot declare an enum.",
        hint: 'Write a union of literals: `type Color = "red" | "green"`.',
      };
    case ts.SyntaxKind.ModuleDeclaration:
      return {
        code: "MCG2012",
        message: "A schema cannot declare a namespace or module.",
        hint: "Declare its types at the top level.",
      };
    case ts.SyntaxKind.ExportAssignment:
      return {
        code: "MCG2013",
        message: "A schema has no default export.",
        hint: "Export every declaration by its name.",
      };
    case ts.SyntaxKind.ExportDeclaration:
      return {
        code: "MCG2014",
        message: "A schema cannot export what is declared elsewhere.",
        hint: "Write `export` before each declaration.",
      };
    case ts.SyntaxKind.ImportEqualsDeclaration:
      return {
        code: "MCG2015",
        message: `A schema cannot import by \`${context.quote(node)}\`.`,
        hint: 'Write `import type { Name } from "…"`.',
      };
    default:
      return {
        code: "MCG2010",
        message: `A schema cannot contain \`${context.quote(node)}\`.`,
        hint: "Only interfaces, type aliases and constants are read; nothing is executed.",
      };
  }
}

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

export function refuseType(node: ts.TypeNode, context: Context): void {
  const { code, what, hint } =
    (ts.isLiteralTypeNode(node) ? LITERAL : REFUSALS.get(node.kind)) ?? OTHER;
  context.refuse(node, code, `A schema cannot use ${what} \`${context.quote(node)}\`.`, hint);
}
