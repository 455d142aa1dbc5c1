import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
} from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { Diagnostics } from "../diagnostics.js";
import { fold, isOwned, MARK_WITHIN, refusePath } from "./paths.js";

/** The output folder. Nothing outside `root` is ever written. */
export interface OutputFolder {
  /** The folder that the user named. */
  readonly root: string;
  /** `root` itself or a folder below it. */
  readonly path: string;
}

export type FolderEntry =
  | { readonly kind: "owned"; readonly text: string }
  | { readonly kind: "foreign"; readonly what: string };

/** Entries by path relative to the output folder; paths that do not exist on the disk are absent. */
export type Inventory = ReadonlyMap<string, FolderEntry>;

/**
 * Reads the entries at the expected paths of an output folder, and any generated files that are no longer expected. The
 * latter are searched for only in the folders of expected files, and only among files of the same kinds, so that the
 * output of compilers and of other runs is left alone. Symbolic links are not followed.
 */
export function readInventory(
  folder: OutputFolder,
  expected: readonly string[],
  diagnostics: Diagnostics,
): Inventory | undefined {
  if (!checkFolder(folder, expected, diagnostics)) return undefined;
  const errors = diagnostics.items.length;
  const found = new Map<string, FolderEntry>();
  const kinds = new Set(expected.map(kindOf));
  const expectedPaths = new Map(expected.map((path) => [fold(path), path]));
  for (const directory of foldersOf(expected)) {
    for (const name of namesIn(join(folder.path, directory), diagnostics)) {
      const path = directory === "." ? name : `${directory}/${name}`;
      const place = join(folder.path, path);
      const twin = expectedPaths.get(fold(path));
      if (twin === path) {
        const entry = lookAt(place, diagnostics);
        if (entry) found.set(path, entry);
        continue;
      }
      if (twin !== undefined) refuseTwin(place, twin, diagnostics);
      // The user's own files are ignored if they cannot be read.
      const entry = kinds.has(kindOf(name)) ? lookAt(place, new Diagnostics()) : undefined;
      if (entry?.kind === "owned") found.set(path, entry);
    }
  }
  return diagnostics.items.length === errors ? found : undefined;
}

function foldersOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => dirname(path)))].toSorted();
}

/**
 * Returns the kind of a file: `.ts`, `.d.ts`, `.json`. A compiler's `.d.ts` files are thus of a different kind than our
 * `.ts` files.
 */
function kindOf(path: string): string {
  return path.endsWith(".d.ts") ? ".d.ts" : extname(path);
}

function namesIn(folder: string, diagnostics: Diagnostics): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    refusePath("read", folder, error, diagnostics);
    return [];
  }
}

/** Checks that the root, and every folder below it that we write to, is a real folder or does not exist. */
export function checkFolder(
  folder: OutputFolder,
  expected: readonly string[],
  diagnostics: Diagnostics,
): boolean {
  const folders = new Set([folder.root]);
  for (const directory of foldersOf(expected)) {
    const steps = relative(folder.root, join(folder.path, directory)).split(/[\\/]/);
    steps.forEach((_, index) => folders.add(join(folder.root, ...steps.slice(0, index + 1))));
  }
  return [...folders].every((path) => isFolderOrAbsent(path, diagnostics));
}

function isFolderOrAbsent(path: string, diagnostics: Diagnostics): boolean {
  const stats = statOf(path, diagnostics);
  if (stats === "failed") return false;
  if (stats === undefined || stats.isDirectory()) return true;
  const isLink = stats.isSymbolicLink();
  diagnostics.add({
    code: isLink ? "MCG6004" : "MCG6005",
    severity: "error",
    message: isLink
      ? `"${path}" is a symbolic link; output does not follow links.`
      : `"${path}" is a file where a folder is needed.`,
    hint: isLink
      ? "Name the folder that it points to with --out."
      : "Choose another folder with --out.",
    file: path,
  });
  return false;
}

function refuseTwin(path: string, twin: string, diagnostics: Diagnostics): void {
  diagnostics.add({
    code: "MCG6007",
    severity: "error",
    message: `"${path}" differs only in case from "${twin}", which is to be generated.`,
    hint: "Rename or remove it.",
    file: path,
  });
}

function statOf(path: string, diagnostics: Diagnostics): Stats | "failed" | undefined {
  try {
    return lstatSync(resolve(path), { throwIfNoEntry: false });
  } catch (error) {
    refusePath("read", path, error, diagnostics);
    return "failed";
  }
}

function lookAt(path: string, diagnostics: Diagnostics): FolderEntry | undefined {
  const stats = statOf(path, diagnostics);
  if (stats === undefined || stats === "failed") return undefined;
  if (stats.isSymbolicLink()) return { kind: "foreign", what: "a symbolic link" };
  if (stats.isDirectory()) return { kind: "foreign", what: "a folder" };
  if (!stats.isFile()) return { kind: "foreign", what: "not a regular file" };
  try {
    if (!isOwned(headOf(path)))
      return { kind: "foreign", what: "a file that mcp-codegen did not generate" };
    return { kind: "owned", text: readFileSync(path, "utf8") };
  } catch (error) {
    refusePath("read", path, error, diagnostics);
    return undefined;
  }
}

/** Reads the beginning of a file, which is enough to recognize our mark regardless of the file's size. */
function headOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(4 * MARK_WITHIN);
    return head.toString("utf8", 0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}
