import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrateSource } from "../../../generator/migrate/migrate-source.js";
import { compilerErrors, type CompilerError } from "./errors.js";
import { regionErrors, regionLines } from "./faults.js";
import { type Snippet, snippets } from "./snippets.js";
import { copyPrograms, filesOf } from "./workspace.js";

/** A program or snippet that compiles with the SDK's own packages, and its errors with ours. */
export interface Verdict {
  readonly name: string;
  readonly errors: readonly CompilerError[];
}

/** The programs and snippets in the SDK's repository, compiled with our packages. */
export interface Survey {
  readonly programs: readonly Verdict[];
  readonly snippets: readonly Verdict[];
  /** The programs and snippets that do not compile with the SDK's own packages. They are not counted. */
  readonly uncounted: readonly string[];
}

const right = ({ errors }: Verdict) => errors.length === 0;
const isReadme = ({ name }: Verdict) => /README\.md#/.test(name);

/** Returns a program's text after the command `migrate` alone. */
const moved = (text: string, file: string) =>
  migrateSource(file, { text, isUtf8: true }, undefined, true).after;

/** Returns our verdicts on what compiles with the SDK's own packages. */
const counted = (those: readonly Verdict[], these: readonly Verdict[]) => {
  const names = new Set(those.filter(right).map(({ name }) => name));
  return these.filter(({ name }) => names.has(name));
};

/** Copies the programs and the pages' fences, once as they are and once with our imports. */
export function copyBoth(clone: string) {
  const fences = snippets(clone);
  const extra = new Map(
    fences
      .filter(({ region }) => region === undefined)
      .map(({ file, text }) => [file, `${text}\nexport {};\n`]),
  );
  const folders = [
    copyPrograms(clone, "theirs", extra, (text) => text),
    copyPrograms(clone, "ours", extra, moved),
  ];
  return { fences, folders };
}

/**
 * Compiles a clone's programs and snippets. Programs are the examples' files that import the SDK, without tests, and
 * the pages' fences that are separate files.
 */
export function survey(clone: string): Survey {
  const { fences, folders } = copyBoth(clone);
  const [theirs, ours] = folders.map((folder) => side(folder, fences));
  return {
    programs: counted(theirs!.programs, ours!.programs),
    snippets: counted(theirs!.snippets, ours!.snippets),
    uncounted: [...theirs!.programs, ...theirs!.snippets]
      .filter((verdict) => !right(verdict))
      .map(({ name, errors }) => `${name}: ${errors[0]!.text}`),
  };
}

function side(folder: string, fences: readonly Snippet[]) {
  const errors = [...compilerErrors(folder), ...unchangedImports(folder)];
  const of = (wanted: string) => errors.filter(({ file }) => file === wanted);
  const programs = filesOf(folder)
    .filter((file) => /^examples\/.*\.ts$/.test(file))
    .filter((file) => IMPORT.test(readFileSync(join(folder, file), "utf8")))
    .map((file): Verdict => ({ name: file, errors: of(file) }));
  const found = fences.map(({ name, file, region }): Verdict => {
    if (region === undefined) return { name, errors: of(file) };
    const lines = regionLines(readFileSync(join(folder, file), "utf8"), region);
    if (lines === undefined) return { name, errors: [missingRegion(file, region)] };
    return { name, errors: regionErrors(folder, file, lines, of(file)) };
  });
  return {
    programs: [...programs, ...found.filter(isReadme)],
    snippets: found.filter((verdict) => !isReadme(verdict)),
  };
}

const IMPORT = /["']@(?:modelcontextprotocol|mcp-codegen)\//;
const MISSED = /["'](@modelcontextprotocol\/[^"'\n]+)["']/;

/** Returns the SDK imports that are left in our folder. */
function unchangedImports(folder: string): CompilerError[] {
  if (!folder.endsWith("ours")) return [];
  return filesOf(folder)
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(join(folder, file), "utf8")
        .split("\n")
        .flatMap((line, index) => {
          const specifier = MISSED.exec(line)?.[1];
          const text = `Module '${specifier}' has no counterpart.`;
          return specifier ? [{ file, line: index + 1, column: 1, code: "import", text }] : [];
        }),
    );
}

const missingRegion = (file: string, region: string): CompilerError => ({
  file,
  line: 1,
  column: 1,
  code: "region",
  text: `No region ${region}`,
});
