import { Node, Project, type Statement, ts } from "ts-morph";
import type { Diagnostics } from "../diagnostics.js";
import type { Source } from "../load/source.js";
import { readDoc } from "./doc.js";
import { readShape } from "./members.js";
import { spanOf } from "./span.js";
import type { Declaration, SchemaModel } from "./schema-model.js";
import { readType } from "./types.js";

/** Reads a schema.ts into a model; refuses every construct that it does not know. */
export function model(source: Source, diagnostics: Diagnostics): SchemaModel {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { strict: true, target: ts.ScriptTarget.ES2022 },
  });
  const sourceFile = project.createSourceFile("schema.ts", source.text);
  const context = { diagnostics, file: source.file };
  const declarations: Declaration[] = [];
  for (const statement of sourceFile.getStatements()) {
    declarations.push(...readStatement(statement, context));
  }
  return { file: source.file, sha256: source.sha256, declarations };
}

export interface Context {
  readonly diagnostics: Diagnostics;
  readonly file: string;
}

function readStatement(statement: Statement, context: Context): Declaration[] {
  const span = spanOf(statement);
  if (Node.isInterfaceDeclaration(statement)) {
    const doc = readDoc(statement);
    return [
      {
        kind: "interface",
        name: statement.getName(),
        extends: statement.getExtends().map((node) => readType(node, context)),
        ...readShape(statement, context),
        ...(doc && { doc: doc.doc }),
        span,
      },
    ];
  }
  if (Node.isTypeAliasDeclaration(statement)) {
    const doc = readDoc(statement);
    return [
      {
        kind: "alias",
        name: statement.getName(),
        type: readType(statement.getTypeNodeOrThrow(), context),
        ...(doc?.constraints && { constraints: doc.constraints }),
        ...(doc && { doc: doc.doc }),
        span,
      },
    ];
  }
  if (Node.isVariableStatement(statement)) {
    const doc = readDoc(statement);
    return statement.getDeclarations().map((declaration) => {
      const initializer = declaration.getInitializerOrThrow();
      const value = Node.isStringLiteral(initializer)
        ? initializer.getLiteralValue()
        : Number(initializer.getText());
      return { kind: "const", name: declaration.getName(), value, ...(doc && { doc: doc.doc }), span };
    });
  }
  context.diagnostics.add({
    code: "MCG2001",
    severity: "error",
    message: `A schema cannot contain ${statement.getKindName()}.`,
    file: context.file,
    span,
  });
  return [];
}
