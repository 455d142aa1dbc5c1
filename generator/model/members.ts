import { ts } from "ts-morph";
import type { Context } from "./context.js";
import { readConstrainingDoc } from "./doc.js";
import { readIndexSignature, readOptionalType, readType } from "./types.js";
import { MAX_PARTS } from "./limits.js";
import type { IndexSignature, Member, ObjectShape } from "./schema-model.js";

export function readShape(
  node: ts.InterfaceDeclaration | ts.TypeLiteralNode,
  context: Context,
): ObjectShape {
  const members = new Map<string, Member>();
  let index: IndexSignature | undefined;
  if (node.members.length > MAX_PARTS) {
    context.refuse(
      node.members[MAX_PARTS]!,
      "MCG2004",
      `A type has more than ${MAX_PARTS} members.`,
      "Split it into several named types.",
    );
    return { members: [] };
  }
  for (const element of node.members) {
    if (ts.isPropertySignature(element)) {
      const member = readMember(element, context);
      if (!member) continue;
      if (members.has(member.name)) refuseDuplicate(element.name, context);
      else members.set(member.name, member);
    } else if (ts.isIndexSignatureDeclaration(element)) {
      const signature = readIndexSignature(element, context);
      if (index) refuseSecondIndex(element, context);
      else index = signature;
    } else refuseElement(element, context);
  }
  return { members: [...members.values()], ...(index && { index }) };
}

function readMember(node: ts.PropertySignature, context: Context): Member | undefined {
  checkPlain(node, context);
  const name = memberName(node.name, context);
  const optional = node.questionToken !== undefined;
  const read = optional ? readOptionalType : readType;
  const type = node.type && read(node.type, context);
  if (!type) {
    context.refuse(
      node,
      "MCG2044",
      `The member ${context.quote(node.name)} has no type.`,
      "Add one; write `unknown` when any value is valid.",
    );
  }
  if (name === undefined || !type) return undefined;
  return {
    name,
    optional,
    type,
    ...readConstrainingDoc(node, type, context),
    span: context.span(node),
  };
}

function memberName(node: ts.PropertyName, context: Context): string | undefined {
  if (ts.isIdentifier(node) || ts.isStringLiteral(node)) return node.text;
  context.refuse(
    node,
    "MCG2043",
    `\`${context.quote(node)}\` is not the name of a member.`,
    "Use an identifier or a name in quotes; computed names are not evaluated.",
  );
  return undefined;
}

function checkPlain(node: ts.PropertySignature, context: Context): void {
  for (const modifier of node.modifiers ?? []) {
    context.refuse(
      modifier,
      "MCG2042",
      `A member cannot be \`${context.quote(modifier)}\`.`,
      "Remove the modifier; it has no meaning on the wire.",
    );
  }
  const { initializer } = node as { initializer?: ts.Expression };
  if (initializer) {
    context.refuse(
      initializer,
      "MCG2045",
      "A member cannot have a value.",
      "Give it a type; write a constant value as a literal type.",
    );
  }
}

function refuseDuplicate(node: ts.PropertyName, context: Context): void {
  context.refuse(
    node,
    "MCG2046",
    `The member ${context.quote(node)} is declared twice.`,
    "Remove one of the declarations.",
  );
}

function refuseSecondIndex(node: ts.Node, context: Context): void {
  context.refuse(
    node,
    "MCG2049",
    "A type cannot have two index signatures.",
    "Merge them into one.",
  );
}

function refuseElement(node: ts.TypeElement, context: Context): void {
  const accessor = ts.isAccessor(node);
  context.refuse(
    node,
    accessor ? "MCG2041" : "MCG2040",
    accessor
      ? "An object type cannot contain an accessor."
      : `An object type cannot contain the signature \`${context.quote(node)}\`.`,
    accessor ? "Declare a plain member." : "Only data travels on the wire; remove it.",
  );
}
