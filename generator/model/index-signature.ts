import { ts } from "ts-morph";
import type { Context } from "./context.js";
import { readDoc } from "./doc.js";
import type { IndexSignature } from "./schema-model.js";
import { readType } from "./types.js";

/** Reads `[key: string]: T`. */
export function readIndexSignature(
  node: ts.IndexSignatureDeclaration,
  context: Context,
): IndexSignature | undefined {
  const [parameter, ...others] = node.parameters;
  if (!parameter || others.length > 0 || !isPlain(parameter) || node.modifiers || !node.type) {
    context.refuse(
      node,
      "MCG2048",
      `\`${context.quote(node)}\` is not a plain index signature.`,
      "Write `[key: string]: T`: one key, not optional, without modifiers, with a type.",
    );
    return undefined;
  }
  if (parameter.type?.kind !== ts.SyntaxKind.StringKeyword) {
    const key = parameter.type ?? parameter;
    context.refuse(
      key,
      "MCG2047",
      `The keys of an index signature must be \`string\`, not \`${context.quote(key)}\`.`,
      "Write `[key: string]: T`.",
    );
  }
  return {
    keyName: (parameter.name as ts.Identifier).text,
    type: readType(node.type, context),
    ...readDoc(node, context),
    span: context.span(node),
  };
}

function isPlain(parameter: ts.ParameterDeclaration): boolean {
  return (
    ts.isIdentifier(parameter.name) &&
    !parameter.questionToken &&
    !parameter.dotDotDotToken &&
    !parameter.initializer &&
    !parameter.modifiers
  );
}
