import { ts } from "ts-morph";
import type { Context } from "./context.js";
import type { TypeExpression } from "./schema-model.js";
import { readType } from "./types.js";

/** Reads `X["y"]`: the type of a member that a declaration of the file states itself. */
export function readIndexedAccess(
  node: ts.IndexedAccessTypeNode,
  context: Context,
): TypeExpression | undefined {
  const member = memberOf(node, context);
  if (member?.type && !member.questionToken) return readType(member.type, context);
  context.refuse(
    node,
    "MCG2054",
    member
      ? `\`${context.quote(node)}\` may be \`undefined\`, as the member is optional.`
      : `A schema cannot use the indexed access type \`${context.quote(node)}\`.`,
    member
      ? "Declare the member's type with a name and refer to that."
      : "The object must be an interface or an object type of this file that states the member itself; else declare the member's type with a name and refer to that.",
  );
  return undefined;
}

function memberOf(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  context: Context,
): ts.PropertySignature | undefined {
  if (!ts.isTypeReferenceNode(objectType) || objectType.typeArguments) return undefined;
  if (!ts.isIdentifier(objectType.typeName) || !ts.isLiteralTypeNode(indexType)) return undefined;
  const { literal } = indexType;
  const owner = context.declared(objectType.typeName.text);
  if (!owner || !ts.isStringLiteral(literal)) return undefined;
  return membersOf(owner)
    .filter((each) => ts.isPropertySignature(each))
    .find(
      ({ name }) =>
        (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === literal.text,
    );
}

function membersOf(
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
): readonly ts.TypeElement[] {
  if (ts.isInterfaceDeclaration(node)) return node.members;
  return ts.isTypeLiteralNode(node.type) ? node.type.members : [];
}
