import type { Diagnostics } from "../diagnostics.js";
import type { Source } from "../load/source.js";
import { checkCompiles, type ImportedTexts } from "./checks/check-compiles.js";
import { checkFile } from "./checks/check-file.js";
import { checkModel } from "./checks/check-model.js";
import { checkNames } from "./checks/check-names.js";
import { parse } from "./parse.js";
import { type ImportableModels, resolveImports } from "./resolve-imports.js";
import type { SchemaModel } from "./schema-model.js";
import { readStatements } from "./statements.js";

export interface ModelOptions {
  readonly imports?: ImportableModels;
  /**
   * The source text of the schemas in `imports`. Without it, declarations are not compared with the types of imported
   * bases.
   */
  readonly texts?: ImportedTexts;
}

/**
 * Reads a schema.ts into a model. Rejects all unknown constructs (MCG2xxx). After an error, the model is incomplete and
 * can only be used to find further errors.
 */
export function model(
  source: Source,
  diagnostics: Diagnostics,
  options: ModelOptions = {},
): SchemaModel {
  const { file, sha256 } = source;
  const context = parse(source, diagnostics);
  if (!context || !checkFile(context, options.imports === undefined))
    return { file, sha256, declarations: [] };
  const statements = readStatements(context);
  const own = checkNames(statements.declarations, context);
  const { imports } = statements;
  const imported = resolveImports(imports, options.imports ?? new Map(), own, context);
  const declarations = [...imported, ...own];
  checkModel(own, declarations, context);
  if (!context.hasRefused) checkCompiles(context, options.texts ?? new Map());
  return { file, sha256, declarations, ...(imports.length > 0 && { imports }) };
}
