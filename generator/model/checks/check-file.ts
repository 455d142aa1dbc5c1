import { ts } from "ts-morph";
import type { Context } from "../context.js";
import { MAX_DECLARATIONS } from "../limits.js";

/** Checks what concerns the file as a whole; whether its statements are worth reading. */
export function checkFile(context: Context): boolean {
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
      "Check that this is the right file; a schema declares interfaces, type aliases and constants.",
    );
    return false;
  }
  return true;
}
