import { ts } from "ts-morph";
import type { Context } from "../context.js";
import { BASIC_TYPES } from "./basic-types.js";

export type ImportedTexts = Pick<ReadonlyMap<string, string>, "get">;

const HINTS: Readonly<Record<number, string>> = {
  2320: "Declare the member again in the interface, with a type that fits all bases.",
  2411: "Correct the member, or widen the type of the index signature; an optional member counts as `undefined` too.",
  2413: "Correct one of the index signatures.",
  2430: "Correct the member in one of the two, or extend `Omit` of the base without it.",
};

/** Compiler errors about words that cannot be names. A later stage rejects these names with a better message. */
const RESERVED_WORDS = new Set([1212, 1213, 1214, 1215, 1262]);

/**
 * The values to try for the compiler option `exactOptionalPropertyTypes`, because the schema must compile with both.
 */
const SETTINGS = [true, false];

/**
 * Rejects a schema that the compiler rejects, for example because a member is incompatible with the same member in a
 * base. Types are generated as declared, so they would not compile either. Must be called only for a schema without
 * other errors.
 */
export function checkCompiles(context: Context, imported: ImportedTexts): void {
  const files = new Files(context.text, imported);
  try {
    const found = SETTINGS.flatMap((isExact) => errorsIn(files, isExact));
    const byPlace = new Map(found.toReversed().map((error) => [error.start, error]));
    byPlace.forEach((error) => refuseError(error, context));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.refuse(
      context.spanAt(0, 0),
      "MCG2003",
      "The types of the schema are nested too deeply to be compiled.",
      "Declare the inner types with names of their own.",
    );
  }
}

const SCHEMA = "/schema.ts";
const LIBRARY = "/basic-types.d.ts";
const IMPORTED = "/imported/";

/** Matches comments that disable compiler checks, because generated code would not contain these comments. */
const SWITCHES = /@ts-(?=ignore|expect-error|nocheck)/gi;

/** The source files by name. Each file is parsed only once, even if several programs contain it. */
class Files {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #imported: ImportedTexts;
  readonly #parsed = new Map<string, ts.SourceFile>();

  constructor(schema: string, imported: ImportedTexts) {
    this.#texts = new Map([
      [SCHEMA, schema],
      [LIBRARY, BASIC_TYPES],
    ]);
    this.#imported = imported;
  }

  text(name: string): string | undefined {
    if (!name.startsWith(IMPORTED)) return this.#texts.get(name);
    return this.#imported.get(decodeURIComponent(name.slice(IMPORTED.length, -3)));
  }

  parsed(name: string): ts.SourceFile | undefined {
    const known = this.#parsed.get(name);
    const text = known ? undefined : this.text(name);
    if (text === undefined) return known;
    const file = ts.createSourceFile(name, text.replace(SWITCHES, "@ts_"), {
      languageVersion: ts.ScriptTarget.ES2022,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    });
    this.#parsed.set(name, file);
    return file;
  }

  /** Resolves an import in the schema to its text. Imports within imported schemas are not resolved. */
  resolve(specifier: string, from: string): ts.ResolvedModuleWithFailedLookupLocations {
    const resolvedFileName = `${IMPORTED}${encodeURIComponent(specifier)}.ts`;
    const isThere = from === SCHEMA && this.text(resolvedFileName) !== undefined;
    return {
      resolvedModule: isThere ? { resolvedFileName, extension: ts.Extension.Ts } : undefined,
    };
  }
}

function errorsIn(files: Files, isExact: boolean): readonly ts.Diagnostic[] {
  const program = ts.createProgram({
    rootNames: [LIBRARY, SCHEMA],
    options: {
      target: ts.ScriptTarget.ES2022,
      noLib: true,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: isExact,
    },
    host: {
      fileExists: (name) => files.text(name) !== undefined,
      getSourceFile: (name) => files.parsed(name),
      readFile: (name) => files.text(name),
      resolveModuleNameLiterals: (literals, from) =>
        literals.map(({ text }) => files.resolve(text, from)),
      writeFile: () => undefined,
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => "/",
      getDefaultLibFileName: () => LIBRARY,
      getNewLine: () => "\n",
      useCaseSensitiveFileNames: () => true,
    },
  });
  const sourceFile = program.getSourceFile(SCHEMA)!;
  return program
    .getSemanticDiagnostics(sourceFile)
    .filter(({ category }) => category === ts.DiagnosticCategory.Error)
    .filter(({ code }) => !RESERVED_WORDS.has(code))
    .filter(({ start = 0 }) => !isInImport(sourceFile, start));
}

/**
 * Returns true for a position inside an import. Imports are checked separately, and a type that is not found here is
 * compatible with every other type.
 */
function isInImport({ statements }: ts.SourceFile, start: number): boolean {
  return statements.some(
    (node) => ts.isImportDeclaration(node) && node.pos <= start && start < node.end,
  );
}

function refuseError(
  { code, start = 0, length = 0, messageText }: ts.Diagnostic,
  context: Context,
) {
  const message = ts.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ");
  context.refuse(
    context.spanAt(start, start + length),
    "MCG2077",
    `This does not compile: ${message}`,
    HINTS[code] ?? "Correct the schema so that `tsc --strict` accepts it.",
  );
}
