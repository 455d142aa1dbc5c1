import ts from "typescript-6";

/** Returns the documentation that editors show for each name on its own line in some files: `Client: documented`. */
export function documentation(...files: readonly string[]): string[] {
  const options = { strict: true, module: ts.ModuleKind.NodeNext, types: [] };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const statements = files.flatMap((file) =>
    program.getSourceFile(file)!.statements.filter(ts.isExpressionStatement),
  );
  return statements.map(({ expression }) => {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const found = checker.getSymbolAtLocation(name)!;
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    return `${expression.getText()}: ${text.length > 20 ? "documented" : text}`;
  });
}
