import { ts } from "ts-morph";
import type { Diagnostics, Span } from "../diagnostics.js";
import type { Source } from "../load/source.js";
import { spanBetween } from "../position.js";
import { scan } from "./comments.js";
import { Context } from "./context.js";
import { MAX_NESTING } from "./limits.js";

/** The maximum number of syntax errors to report. The first ones usually explain the others. */
const MAX_SYNTAX_ERRORS = 20;

const TOO_DEEP_HINT = "Declare the inner types with names of their own.";

export function parse(source: Source, diagnostics: Diagnostics): Context | undefined {
  const { comments, tooDeep } = scan(source.text);
  const refuse = (code: string, message: string, hint: string, span: Span) => {
    diagnostics.add({ code, severity: "error", message, hint, file: source.file, span });
  };
  if (tooDeep) {
    refuse(
      "MCG2002",
      `Brackets are nested more than ${MAX_NESTING} levels deep.`,
      TOO_DEEP_HINT,
      spanBetween(source.text, tooDeep.start, tooDeep.end),
    );
    return undefined;
  }
  let parsed: ParsedFile;
  try {
    parsed = parseText(source.text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse("MCG2003", "The schema is nested too deeply to be parsed.", TOO_DEEP_HINT, {
      line: 1,
      column: 1,
      start: 0,
      end: 0,
    });
    return undefined;
  }
  const context = new Context(source, parsed.sourceFile, comments, diagnostics);
  for (const { messageText, start = 0, length = 0 } of parsed.errors.slice(0, MAX_SYNTAX_ERRORS)) {
    const message = ts.flattenDiagnosticMessageText(messageText, " ");
    context.refuse(
      context.spanAt(start, start + length),
      "MCG2001",
      `This is not valid TypeScript: ${message}`,
      "Correct the syntax; nothing else in the file was read.",
    );
  }
  return parsed.errors.length > 0 ? undefined : context;
}

interface ParsedFile {
  readonly sourceFile: ts.SourceFile;
  readonly errors: readonly ts.Diagnostic[];
}

const FILE = "schema.ts";

/** Parses the syntax only: without a library, module resolution, a type checker, or comments. */
function parseText(text: string): ParsedFile {
  const sourceFile = ts.createSourceFile(FILE, text, {
    languageVersion: ts.ScriptTarget.ES2022,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const isSchema = (name: string) => name === FILE;
  const program = ts.createProgram({
    rootNames: [FILE],
    options: { noLib: true, noResolve: true, types: [] },
    host: {
      fileExists: isSchema,
      getSourceFile: (name) => (isSchema(name) ? sourceFile : undefined),
      readFile: () => undefined,
      writeFile: () => undefined,
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => "",
      getDefaultLibFileName: () => "",
      getNewLine: () => "\n",
      useCaseSensitiveFileNames: () => true,
    },
  });
  return { sourceFile, errors: program.getSyntacticDiagnostics(sourceFile) };
}
