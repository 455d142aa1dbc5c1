import { bundledRevisions } from "../../bundled/bundled.js";
import { Diagnostics } from "../../diagnostics.js";
import { generate, type GenerateInput, linkInput, type LinkInput } from "../../generate.js";
import { generateExtension } from "../../generate-extension.js";
import { generateUniversal } from "../../generate-universal.js";
import { checkPaths, inputOf as originOf } from "../../output/paths.js";
import { type Change, compare } from "../../output/compare.js";
import { type FolderEntry, type OutputFolder, readInventory } from "../../output/inventory.js";
import type { InheritedFacts } from "../../link/facts.js";
import type { Protocol } from "../../link/protocol.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { readInput } from "../read-input.js";
import type { ExtensionTarget, Request, Target } from "./request.js";
import { UNIVERSAL } from "./targets.js";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { packageOf } from "../../emit/package-files.js";
import { MAX_BYTES } from "../../load/limits.js";
import { readText } from "../../load/read-bytes.js";
import type { Vendoring } from "../../bundled/clone.js";
import { VENDORED } from "../../plan/package-range.js";
import { RUNTIME } from "../../plan/runtime-imports.js";

export interface Generation {
  readonly target: Pick<Target, "revision" | "folder"> & {
    readonly extension?: string;
    /** The server's name, if the target is generated from a contract. */
    readonly contract?: string;
  };
  readonly changes: readonly Change[];
  /** The facts inherited from a bundled revision; absent if the target has its own. */
  readonly inherited?: InheritedFacts;
}

/** The options of a request that apply to all of its packages. */
type OfAllPackages = Pick<Request, "runtime" | "modulesOnly" | "clone">;

function isInstalledFromArchives(path: string, clone: Request["clone"]): boolean {
  return clone !== undefined && !clone.contains(path);
}

/**
 * Packs the archives that generated packages are installed from.
 *
 * @returns the folders of these packages
 */
export async function packVendored(
  generations: readonly Generation[],
  clone: Request["clone"],
): Promise<readonly string[]> {
  const projects: Vendoring[] = [];
  for (const { target, changes } of generations) {
    const { path } = target.folder;
    const text = changes.find((change) => change.path === "package.json")?.after;
    if (clone === undefined || clone.contains(path) || text === undefined) continue;
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    const names = Object.keys(dependencies).filter((name) =>
      dependencies[name]!.startsWith(VENDORED),
    );
    if (names.length === 0) continue;
    projects.push({ folder: path, names });
  }
  await clone?.packInto(projects);
  return projects.map(({ folder }) => folder);
}

/** Generates packages, and reuses earlier results for inputs that have not changed. */
export class Generator {
  readonly #runtime: string | undefined;
  readonly #modulesOnly: boolean;
  readonly #clone: Request["clone"];
  readonly #done = new Map<
    string,
    { readonly key: string; readonly files: readonly OutputFile[] }
  >();
  /** Linked protocols by revision. They are also used for the package that serves several revisions. */
  readonly #linked = new Map<string, { readonly key: string; readonly protocol: Protocol }>();

  constructor({ runtime, modulesOnly = false, clone }: OfAllPackages) {
    this.#runtime = runtime;
    this.#modulesOnly = modulesOnly;
    this.#clone = clone;
  }

  /** Returns true if this generator has the same options as a request, and can therefore be reused. */
  fits({ runtime, modulesOnly = false, clone }: OfAllPackages): boolean {
    const isSame = runtime === this.#runtime && modulesOnly === this.#modulesOnly;
    return isSame && clone === this.#clone;
  }

  #isVendored({ path }: OutputFolder): boolean {
    return isInstalledFromArchives(path, this.#clone);
  }

  /** Generates a target without writing anything. */
  async run(target: Target, diagnostics: Diagnostics): Promise<Generation | undefined> {
    const files = await this.#files(target, diagnostics);
    const generation = this.#comparison(target, files, diagnostics);
    const inherited = this.#linked.get(target.revision)?.protocol.inherited;
    return generation && { ...generation, ...(inherited && { inherited }) };
  }

  async runUniversal(
    targets: readonly Target[],
    { folder, invocation }: NonNullable<Request["universal"]>,
    diagnostics: Diagnostics,
  ): Promise<Generation | undefined> {
    const inputs = targets.flatMap((target) => inputOf(target, diagnostics));
    const ids = targets.map(({ revision }) => revision).toSorted();
    const between = bundledRevisions()
      .filter(({ revision }) => !ids.includes(revision))
      .filter(({ revision }) => ids[0]! < revision && revision < ids.at(-1)!)
      .flatMap((bundled) => inputOf(bundled, diagnostics));
    if (diagnostics.hasErrors) return undefined;
    const files = await generateUniversal(
      inputs,
      diagnostics,
      between,
      this.#link,
      invocation,
      this.#isVendored(folder),
    );
    return this.#comparison({ revision: UNIVERSAL, folder }, files, diagnostics);
  }

  async runExtension(
    { id, schema, facts, bundled, extended, folder, invocation }: ExtensionTarget,
    diagnostics: Diagnostics,
  ): Promise<Generation | undefined> {
    const own = readInput({ schema, ...(facts !== undefined && { facts }) }, diagnostics);
    const [base] = inputOf(extended, diagnostics);
    if (own === undefined || base === undefined) return undefined;
    const runtime = this.#runtime === undefined ? {} : { runtime: this.#runtime };
    const input = {
      ...own,
      id,
      extended: base,
      ...runtime,
      isVendored: this.#isVendored(folder),
      ...(bundled !== undefined && { bundled }),
      ...(invocation && { invocation }),
    };
    const files = await generateExtension(input, diagnostics);
    const { revision } = extended;
    return this.#comparison({ revision, extension: id, folder }, files, diagnostics);
  }

  #comparison(
    target: Generation["target"],
    files: readonly OutputFile[] | undefined,
    diagnostics: Diagnostics,
  ): Generation | undefined {
    if (files === undefined || diagnostics.hasErrors) return undefined;
    const paths = files.map(({ path }) => path);
    if (!checkPaths(paths, diagnostics)) return undefined;
    // Files that exist only in packages are examined as well, because an earlier run may have written them.
    const inventory = readInventory(target.folder, paths, diagnostics);
    const kept = this.#modulesOnly ? files.filter(({ path }) => !OF_PACKAGE.has(path)) : files;
    if (inventory === undefined) return undefined;
    const entries = new Map([...inventory, ...leftoversAbove(target.folder, files)]);
    return { target, changes: compare(kept, entries) };
  }

  readonly #link: LinkInput = (input, diagnostics) => {
    const { revision, imports } = input;
    const key = keyOf(input);
    const known = this.#linked.get(revision);
    if (known?.key === key && !imports) return known.protocol;
    const protocol = linkInput(input, diagnostics);
    if (protocol && !imports) this.#linked.set(revision, { key, protocol });
    return protocol;
  };

  async #files(
    target: Target,
    diagnostics: Diagnostics,
  ): Promise<readonly OutputFile[] | undefined> {
    const { revision, invocation, folder } = target;
    const isVendored = this.#isVendored(folder);
    const input = readInput(target, diagnostics);
    if (input === undefined) return undefined;
    const { source, facts } = input;
    const key = `${keyOf(input)} ${JSON.stringify(invocation)} ${isVendored}`;
    const known = this.#done.get(revision);
    if (known?.key === key) return known.files;
    const runtime = this.#runtime === undefined ? {} : { runtime: this.#runtime };
    const files = await generate(
      { source, revision, invocation, isVendored, ...(facts && { facts }), ...runtime },
      diagnostics,
      this.#link,
    );
    if (files === undefined || diagnostics.hasErrors) return undefined;
    this.#done.set(revision, { key, files });
    return files;
  }
}

/**
 * Returns the files of the same input in the folder above. An earlier run wrote them there if it generated only that
 * one package.
 */
function leftoversAbove(
  { root, path: folder }: OutputFolder,
  files: readonly OutputFile[],
): readonly [string, FolderEntry][] {
  if (dirname(folder) !== root) return [];
  const paths = files.map(({ path }) => path);
  const above = readInventory({ root, path: root }, paths, new Diagnostics()) ?? [];
  return [...above].flatMap(([path, entry]) => {
    const input = entry.kind === "owned" ? originOf(entry.text) : undefined;
    const isSame = input !== undefined && files.some(({ text }) => originOf(text) === input);
    return isSame ? [[`../${path}`, entry] as const] : [];
  });
}

/** The files that turn a folder into a package. */
const OF_PACKAGE = new Set(["package.json", "tsconfig.json", "README.md"]);

/** Returns a key that stays the same as long as the input's content does not change. */
function keyOf({ source, facts }: Pick<GenerateInput, "source" | "facts">): string {
  return `${source.sha256} ${facts?.origin?.text}`;
}

function inputOf(
  source: Pick<Target, "revision" | "schema" | "facts">,
  diagnostics: Diagnostics,
): GenerateInput[] {
  const input = readInput(source, diagnostics);
  return input ? [{ ...input, revision: source.revision }] : [];
}

export function warnOfCommonJs(
  { path }: OutputFolder,
  changes: readonly Change[],
  diagnostics: Diagnostics,
): void {
  const isPackage = changes.some(({ path: file, after }) => file === "package.json" && after);
  if (!isPackage || !isInCommonJs(path)) return;
  diagnostics.add({
    code: "MCG6010",
    severity: "warning",
    message: `${path} is an ES module package inside of a CommonJS project: compiled as a part of it, it cannot be loaded.`,
    hint: `Use --modules-only for modules of that project, or build the package by itself: tsc -p ${path}.`,
  });
}

export interface MissingPackages {
  readonly names: readonly string[];
  readonly commands: string;
}

export function missingPackages(
  folders: readonly OutputFolder[],
  specifiers: readonly string[] = [RUNTIME],
  clone: Request["clone"] = undefined,
): MissingPackages | undefined {
  const absent = specifiers.filter((one) => !folders.every(({ path }) => isInstalled(one, path)));
  const names = [...new Set(absent.flatMap((one) => packageOf(one) ?? []))];
  if (names.length === 0) return undefined;
  const isOurs = names.every((name) => name.startsWith("@mcp-codegen/"));
  const commands = isOurs ? clone?.installCommands(names) : undefined;
  return { names, commands: commands ?? `npm install ${names.join(" ")}` };
}

/** Returns true if a folder is inside a CommonJS project that is not a workspace with several packages. */
function isInCommonJs(folder: string): boolean {
  const project = projectAround(dirname(resolve(folder)));
  if (project === undefined || existsSync(join(project, "pnpm-workspace.yaml"))) return false;
  try {
    const text = readText(join(project, "package.json"), MAX_BYTES);
    const { type, workspaces } = JSON.parse(text) as { type?: unknown; workspaces?: unknown };
    return type !== "module" && workspaces === undefined;
  } catch {
    return false;
  }
}

function projectAround(folder: string): string | undefined {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : projectAround(above);
}

function isInstalled(specifier: string, folder: string): boolean {
  try {
    createRequire(join(resolve(folder), "index.js")).resolve(specifier);
    return true;
  } catch {
    return false;
  }
}
