import { ts } from "ts-morph";
import { exampleLines, lackingNames } from "../../smallest-schema.js";
import type { Context } from "../context.js";
import { MAX_DECLARATIONS } from "../limits.js";

/**
 * Checks the file as a whole.
 *
 * @param isWhole - true for the schema of a protocol, false for that of an extension
 * @returns true if its statements can be read
 */
export function checkFile(context: Context, isWhole: boolean): boolean {
  const { statements, referencedFiles, typeReferenceDirectives, libReferenceDirectives } =
    context.sourceFile;
  for (const { pos, end } of [
    ...referencedFiles,
    ...typeReferenceDirectives,
    ...libReferenceDirectives,
  ]) {
    context.refuse(
      context.spanAt(pos, end),
      "MCG2019",
      "A schema cannot refer to other files by directive.",
      'Write `import type { Name } from "…"`.',
    );
  }
  if (statements.length > MAX_DECLARATIONS) {
    context.refuse(
      statements[MAX_DECLARATIONS]!,
      "MCG2004",
      `The schema has more than ${MAX_DECLARATIONS} declarations.`,
      "Check that this is the right file.",
    );
    return false;
  }
  if (statements.every((node) => ts.isEmptyStatement(node) || ts.isImportDeclaration(node))) {
    context.refuse(
      context.spanAt(0, 0),
      "MCG2005",
      "The schema declares nothing.",
      isWhole
        ? "Check that this is the right file; the schema of a protocol begins with what travels on the wire:"
        : "Check that this is the right file; a schema declares interfaces, type aliases and constants.",
      isWhole ? exampleLines(lackingNames(["JSONRPCMessage"], () => false)) : "",
    );
    return false;
  }
  return true;
}
