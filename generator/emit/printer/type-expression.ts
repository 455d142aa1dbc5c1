import type { ObjectShape, TypeExpression } from "../../model/schema-model.js";
import { type Code, code, EMPTY, identifier, join, literal, memberName } from "./code.js";
import { jsDoc } from "./doc.js";

export function typeExpression(type: TypeExpression): Code {
  switch (type.kind) {
    case "keyword":
      return { parts: [type.name] };
    case "literal":
      return literal(type.value);
    case "typeof":
      return code`typeof ${identifier(type.name)}`;
    case "reference":
      return identifier(type.name);
    case "array":
      return code`${operand(type.element)}[]`;
    case "union":
      return join(openEnum(type.members) ?? type.members.map(operand), code` | `);
    case "intersection":
      return join(type.members.map(operand), code` & `);
    case "object":
      return objectType(type);
    case "record":
      return code`Record<string, ${typeExpression(type.value)}>`;
    case "omit":
      return code`Omit<${typeExpression(type.base)}, ${join(type.keys.map(literal), code` | `)}>`;
  }
}

export function objectType({ members, index }: ObjectShape): Code {
  const lines = members.map((member) => ({
    doc: jsDoc(member.doc),
    text: code`${memberName(member.name)}${member.optional ? code`?` : EMPTY}: ${typeExpression(member.type)};`,
  }));
  if (index) {
    const text = code`[${identifier(index.keyName)}: string]: ${typeExpression(index.type)};`;
    lines.push({ doc: jsDoc(index.doc), text });
  }
  if (lines.length === 0) return code`{}`;
  const separated = lines.map(({ doc, text }, position) => {
    const spaced = position > 0 && (doc !== EMPTY || lines[position - 1]!.doc !== EMPTY);
    return code`${spaced ? code`\n` : EMPTY}${doc}${text}\n`;
  });
  return code`{\n${separated}}`;
}

/**
 * Returns the alternatives of a union that contains both string literals and `string`; undefined for other unions. To a
 * compiler, `"a" | string` is the same as `string`, whereas `string & {}` keeps the known values.
 */
function openEnum(members: readonly TypeExpression[]): Code[] | undefined {
  const known = members.some(
    (member) => member.kind === "literal" && typeof member.value === "string",
  );
  if (!known || !members.some(isString)) return undefined;
  return members.map((member) => (isString(member) ? code`(string & {})` : operand(member)));
}

function isString(type: TypeExpression): boolean {
  return type.kind === "keyword" && type.name === "string";
}

function operand(type: TypeExpression): Code {
  const compound = type.kind === "union" || type.kind === "intersection";
  return compound ? code`(${typeExpression(type)})` : typeExpression(type);
}
