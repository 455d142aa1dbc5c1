import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { packageVersion } from "../../bundled/bundled.js";
import { cloneAround, VENDOR } from "../../bundled/clone.js";
import type { Diagnostics } from "../../diagnostics.js";
import { migrate, type MigratedFile, namesArchive } from "../../migrate/migrate.js";
import { workTree } from "../../migrate/git.js";
import { PACKAGE } from "../../migrate/specifier.js";
import { openSurface } from "../../migrate/surface.js";
import { rewrite } from "../../output/staging.js";
import { unifiedDiff } from "../../output/unified-diff.js";
import type { Context, Values } from "../command.js";
import { diffLine } from "./generate-report.js";
import type { Outcome } from "../outcome.js";
import { count, paint, type Text } from "../text.js";

export async function runMigrate(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const argument = values.text("folder") ?? "";
  const folder = resolve(argument);
  const isDry = values.flag("dry-run");
  if (!isFolder(folder, argument, diagnostics)) return undefined;
  const tree = workTree(folder);
  if (tree === "changed" && !isDry && !values.flag("force")) {
    diagnostics.add({
      code: "MCG6201",
      severity: "error",
      message: `${argument} has changes that are not committed.`,
      hint: "Commit or stash them, so that this change can be seen and undone by itself; or use --dry-run or --force.",
    });
    return undefined;
  }
  progress.step("Reading sources");
  const surface = openSurface(folder);
  const range = `^${surface?.version ?? packageVersion()}`;
  const clone = values.flag("from-registry") ? undefined : await cloneAround();
  const archives = clone?.archivesOf([PACKAGE]);
  const files = migrate(folder, { surface, range, archives, isWritten: !isDry }, diagnostics);
  const isVendored = files.some(({ path, after }) => path.endsWith(".json") && namesArchive(after));
  if (!isDry) {
    if (!write(folder, files, diagnostics)) return undefined;
    if (isVendored) {
      progress.step("Packing");
      await clone?.packInto([{ folder, names: [PACKAGE] }]);
    }
  }
  const shown = files.map((file) => ({ ...file, diff: diffOf(file) }));
  const left = diagnostics.items.length;
  return {
    data: {
      folder,
      written: !isDry,
      files: shown.map(({ path, imports, diff }) => ({ path, imports, diff })),
      ...(isVendored && { vendored: VENDOR }),
    },
    lines: isDry
      ? shown.flatMap(({ diff }) => diff.trimEnd().split("\n").map(diffLine))
      : shown.map((file): Text => [paint("bold", pathFromHere(folder, file.path)), remark(file)]),
    summary: summary(files, { isDry, left, isKnown: surface !== undefined, isVendored, tree }),
  };
}

function isFolder(folder: string, argument: string, diagnostics: Diagnostics): boolean {
  if (existsSync(folder) && statSync(folder).isDirectory()) return true;
  diagnostics.add({
    code: "MCG1201",
    severity: "error",
    message: `There is no folder ${argument}.`,
    hint: "Name the folder that has the package.json of your project.",
  });
  return false;
}

function write(folder: string, files: readonly MigratedFile[], diagnostics: Diagnostics): boolean {
  for (const { path, after } of files) {
    try {
      rewrite(join(folder, path), after);
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      diagnostics.add({
        code: "MCG6202",
        severity: "error",
        message: `Cannot write the file: ${code}.`,
        hint: "The files before it are changed; make it writable, and run the command again.",
        file: join(folder, path),
      });
      return false;
    }
  }
  return true;
}

const pathFromHere = (folder: string, path: string): string =>
  relative(process.cwd(), join(folder, path));

const remark = ({ imports }: MigratedFile): string =>
  imports === 0 ? "  dependencies" : `  ${count(imports, "import")}`;

function diffOf({ path, before, after }: MigratedFile): string {
  return unifiedDiff({ path, before, after, status: "changed" });
}

interface Facts {
  readonly isDry: boolean;
  readonly left: number;
  readonly isKnown: boolean;
  readonly isVendored: boolean;
  readonly tree: ReturnType<typeof workTree>;
}

function summary(files: readonly MigratedFile[], facts: Facts): Text {
  const { isDry, left, isKnown, isVendored, tree } = facts;
  const imports = files.reduce((sum, file) => sum + file.imports, 0);
  const done = `${count(imports, "import")} in ${count(files.filter((one) => one.imports > 0).length, "file")}`;
  const sentences = [
    files.length === 0 ? "Nothing to change." : `${isDry ? "Would change" : "Changed"} ${done}.`,
    ...(left > 0 ? [`${count(left, "warning")} above: what is left to do by hand.`] : []),
    ...(isKnown
      ? []
      : [
          "@mcp-codegen/sdk is not installed. Install it, and run this again to see what it lacks.",
        ]),
    ...(isVendored && !isDry
      ? [`${PACKAGE} is not on npm yet: its archives are in ${VENDOR}/. Commit them.`]
      : []),
    ...(files.length > 0 && !isDry
      ? ["Install the dependencies, compile, and run your tests."]
      : []),
    ...(tree === "none" && !isDry && files.length > 0
      ? ["There is no git work tree to undo this with."]
      : []),
  ];
  return sentences.join("\n");
}
