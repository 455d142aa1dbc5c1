import { type InterfaceDeclaration, Node, type TypeLiteralNode } from "ts-morph";
import { readDoc } from "./doc.js";
import type { Context } from "./model.js";
import type { IndexSignature, Member, ObjectShape } from "./schema-model.js";
import { spanOf } from "./span.js";
import { readType } from "./types.js";

export function readShape(node: InterfaceDeclaration | TypeLiteralNode, context: Context): ObjectShape {
  const members: Member[] = [];
  let index: IndexSignature | undefined;
  for (const member of node.getMembers()) {
    const span = spanOf(member);
    if (Node.isPropertySignature(member)) {
      const nameNode = member.getNameNode();
      const doc = readDoc(member);
      members.push({
        name: Node.isStringLiteral(nameNode) ? nameNode.getLiteralValue() : member.getName(),
        optional: member.hasQuestionToken(),
        type: readType(member.getTypeNodeOrThrow(), context),
        ...(doc?.constraints && { constraints: doc.constraints }),
        ...(doc && { doc: doc.doc }),
        span,
      });
    } else if (Node.isIndexSignatureDeclaration(member)) {
      index = {
        keyName: member.getKeyName(),
        type: readType(member.getReturnTypeNodeOrThrow(), context),
        span,
      };
    } else {
      context.diagnostics.add({
        code: "MCG2002",
        severity: "error",
        message: `An object type cannot contain ${member.getKindName()}.`,
        file: context.file,
        span,
      });
    }
  }
  return { members, ...(index && { index }) };
}
