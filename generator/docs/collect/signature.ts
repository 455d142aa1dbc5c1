import { constraintsText, nameText } from "../../diff/type-text.js";
import type { Declaration, ObjectShape, TypeExpression } from "../../model/schema-model.js";
import type { ConstrainedType } from "../../model/shape.js";
import { nameToken, type Token } from "../page.js";

/** Returns a type's page, so that code can link to it. */
export type PageOf = (name: string) => string | undefined;

const INDENT = "  ";

/** Returns a declaration as TypeScript without comments, but with links and syntax highlighting. */
export function signature(declaration: Declaration, pageOf: PageOf): readonly Token[] {
  const { name } = declaration;
  switch (declaration.kind) {
    case "const":
      return [word("const "), plain(`${name} = `), value(declaration.value), plain(";")];
    case "alias": {
      const limits = note(constraintsText(declaration.constraints));
      return [
        word("type "),
        plain(`${name} = `),
        ...aliased(declaration.type, pageOf),
        plain(";"),
        ...limits,
      ];
    }
    case "interface": {
      const bases = declaration.extends.map((base) => typeTokens(base, pageOf));
      return [
        word("interface "),
        plain(name),
        ...(bases.length > 0 ? [word(" extends "), ...separated(bases, ", ")] : []),
        plain(" "),
        ...objectTokens(declaration, pageOf, ""),
      ];
    }
  }
}

/** Returns an alias's type. A union of three or more types is written with one type per line. */
function aliased(type: TypeExpression, pageOf: PageOf): readonly Token[] {
  if (type.kind !== "union" || type.members.length < 3) return typeTokens(type, pageOf);
  return type.members.flatMap((arm) => [plain(`\n${INDENT}| `), ...grouped(arm, pageOf, INDENT)]);
}

export function typeTokens(type: TypeExpression, pageOf: PageOf, indent = ""): readonly Token[] {
  switch (type.kind) {
    case "keyword":
      return [word(type.name)];
    case "literal":
      return [value(type.value)];
    case "typeof":
      return [word("typeof "), named(type.name, pageOf)];
    case "reference":
      return [named(type.name, pageOf)];
    case "array":
      return [...grouped(type.element, pageOf, indent), plain("[]")];
    case "union":
      return separated(
        type.members.map((one) => typeTokens(one, pageOf, indent)),
        " | ",
      );
    case "intersection":
      return separated(
        type.members.map((one) => grouped(one, pageOf, indent)),
        " & ",
      );
    case "record":
      return [
        plain("{ [key: "),
        word("string"),
        plain("]: "),
        ...typeTokens(type.value, pageOf, indent),
        plain(" }"),
      ];
    case "omit":
      return [
        plain("Omit<"),
        ...typeTokens(type.base, pageOf, indent),
        plain(", "),
        ...separated(
          type.keys.map((key) => [value(key)]),
          " | ",
        ),
        plain(">"),
      ];
    case "object":
      return objectTokens(type, pageOf, indent);
  }
}

/** Returns a member's type on one line, for use in tables. Objects within it have rows of their own. */
export function memberTokens(types: readonly ConstrainedType[], pageOf: PageOf): readonly Token[] {
  return separated(
    types.map(({ type }) => briefTokens(type, pageOf)),
    " & ",
  );
}

function briefTokens(type: TypeExpression, pageOf: PageOf): readonly Token[] {
  switch (type.kind) {
    case "object":
      return type.members.length === 0 && type.index
        ? [
            plain("{ [key: "),
            word("string"),
            plain("]: "),
            ...briefTokens(type.index.type, pageOf),
            plain(" }"),
          ]
        : [word("object")];
    case "array":
      return type.element.kind === "union"
        ? [plain("("), ...briefTokens(type.element, pageOf), plain(")[]")]
        : [...briefTokens(type.element, pageOf), plain("[]")];
    case "union":
      return separated(
        type.members.map((one) => briefTokens(one, pageOf)),
        " | ",
      );
    default:
      return typeTokens(type, pageOf);
  }
}

function grouped(type: TypeExpression, pageOf: PageOf, indent: string): readonly Token[] {
  const tokens = typeTokens(type, pageOf, indent);
  const needsGroup = type.kind === "union" || type.kind === "intersection";
  return needsGroup ? [plain("("), ...tokens, plain(")")] : tokens;
}

function objectTokens(
  { members, index }: ObjectShape,
  pageOf: PageOf,
  indent: string,
): readonly Token[] {
  if (members.length === 0 && !index) return [plain("{}")];
  const inside = `${indent}${INDENT}`;
  const lines = members.map(({ name, optional, type, constraints }) => [
    plain(`\n${inside}${nameText(name)}${optional ? "?" : ""}: `),
    ...typeTokens(type, pageOf, inside),
    plain(";"),
    ...note(constraintsText(constraints)),
  ]);
  if (index) {
    lines.push([
      plain(`\n${inside}[${index.keyName}: `),
      word("string"),
      plain("]: "),
      ...typeTokens(index.type, pageOf, inside),
      plain(";"),
    ]);
  }
  return [plain("{"), ...lines.flat(), plain(`\n${indent}}`)];
}

function separated(groups: readonly (readonly Token[])[], separator: string): readonly Token[] {
  return groups.flatMap((group, index) => (index === 0 ? group : [plain(separator), ...group]));
}

function plain(text: string): Token {
  return { text };
}

function word(text: string): Token {
  return { text, tone: "keyword" };
}

function value(of: string | number | boolean): Token {
  return { text: JSON.stringify(of), tone: "literal" };
}

function named(name: string, pageOf: PageOf): Token {
  return nameToken(name, pageOf(name));
}

function note(limits: string): readonly Token[] {
  return limits === "" ? [] : [{ text: ` //${limits}`, tone: "note" }];
}
