import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { VENDOR } from "../bundled/clone.js";
import type { Diagnostics } from "../diagnostics.js";
import { compilerRemarks } from "./compiler-options.js";
import {
  dependencyNames,
  migrateManifest,
  peerNames,
  sdkDependencies,
  versionIn,
  withOverrides,
  withPackage,
} from "./migrate-manifest.js";
import { mentionsSdk, migrateSource, NOT_UTF_8, TOO_DEEP } from "./migrate-source.js";
import { builtFiles, projectFiles } from "./project-files.js";
import { type ProjectText, projectText, unlessTooDeep } from "./project-text.js";
import { PACKAGE, packageOf } from "./specifier.js";
import type { Surface } from "./surface.js";

export interface MigratedFile {
  /** The path below the project's folder, with `/` as the separator. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The number of changed specifiers; 0 for a manifest. */
  readonly imports: number;
}

export interface MigrationOptions {
  /**
   * The exports of the installed package; undefined if it is not installed, in which case missing names cannot be
   * found.
   */
  readonly surface: Surface | undefined;
  /** The version range for our package in `package.json`. */
  readonly range: string;
  /**
   * The archives of our package and its dependencies in the project's `vendor/`, by package; absent if a registry has
   * them.
   */
  readonly archives?: ReadonlyMap<string, string> | undefined;
  readonly isWritten: boolean;
}

interface Scope {
  imports: number;
  readonly stillUsed: Set<string>;
}

/** Returns the changes that move a project from the official SDK to `@mcp-codegen/sdk`. Does not write anything. */
export function migrate(
  folder: string,
  { surface, range, archives, isWritten }: MigrationOptions,
  diagnostics: Diagnostics,
): MigratedFile[] {
  const { sources, manifests, configs } = projectFiles(folder);
  const read = (path: string) => projectText(join(folder, path));
  const changes: MigratedFile[] = [];
  const texts = new Map(manifests.map((path) => [path, read(path)]));
  const scopes = new Map<string, Scope>();
  const migrated = new Set<string>();
  const usersOfZod = new Set<string | undefined>();
  for (const path of sources) {
    const source = read(path);
    const before = source.text;
    if (IMPORT_OF_ZOD.test(before)) usersOfZod.add(manifestFor(path, texts));
    if (!mentionsSdk(before) && !before.includes(PACKAGE)) continue;
    const result = migrateSource(join(folder, path), source, surface, isWritten);
    result.left.forEach((remark) => diagnostics.add(remark));
    const manifest = manifestFor(path, texts);
    const scope = scopes.get(manifest ?? "") ?? { imports: 0, stillUsed: new Set() };
    scopes.set(manifest ?? "", scope);
    scope.imports += result.changed + (before.includes(`${PACKAGE}/`) ? 1 : 0);
    result.stillUsed.forEach((name) => scope.stillUsed.add(name));
    if (result.changed > 0) {
      migrated.add(join(folder, path));
      changes.push({ path, before, after: result.after, imports: result.changed });
    }
  }
  for (const [path, scope] of scopes) {
    const manifest = texts.get(path);
    if (manifest === undefined || scope.imports === 0) continue;
    const before = manifest.text;
    addPeers(folder, path, before, scope, diagnostics);
    const archive = archives && placeOf(archives.get(PACKAGE)!, path);
    const zod = usersOfZod.has(path) && unnamedZod(folder, path, texts, diagnostics);
    const after = unlessTooDeep(() => {
      const text = migrateManifest(before, range, scope.stillUsed, archive);
      return zod ? withPackage(text, "zod", zod) : text;
    });
    if (after === undefined || (after !== before && !manifest.isUtf8)) {
      const reason = after === undefined ? TOO_DEEP : NOT_UTF_8;
      diagnostics.add({ ...reason, severity: "warning", file: join(folder, path) });
    } else if (after !== before) changes.push({ path, before, after, imports: 0 });
  }
  if (archives) overrideOthers(folder, archives, texts, changes);
  if (scopes.size === 0) addBuilt(folder, texts, diagnostics);
  compilerRemarks(folder, configs, migrated).forEach((remark) => diagnostics.add(remark));
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const placeOf = (archive: string, manifest: string): string =>
  `file:${posix.join(posix.relative(posix.dirname(manifest), ""), VENDOR, archive)}`;

/**
 * Overrides our package's dependencies with archives in the root manifest, if any manifest depends on our package's
 * archive.
 */
function overrideOthers(
  folder: string,
  archives: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, ProjectText>,
  changes: MigratedFile[],
): void {
  if (!changes.some(({ imports, after }) => imports === 0 && namesArchive(after))) return;
  const path = "package.json";
  const at = changes.findIndex((one) => one.path === path);
  const before = changes[at]?.before ?? texts.get(path)?.text;
  if (before === undefined) return;
  const others = [...archives].filter(([name]) => name !== PACKAGE);
  const places = Object.fromEntries(
    others.map(([name, archive]) => [name, placeOf(archive, path)]),
  );
  const isNpm = !["yarn.lock", "pnpm-lock.yaml"].some((lock) => existsSync(join(folder, lock)));
  const text = changes[at]?.after ?? before;
  const after = withOverrides(text, isNpm ? "overrides" : "resolutions", places);
  changes.splice(at < 0 ? changes.length : at, at < 0 ? 0 : 1, { path, before, after, imports: 0 });
}

export function namesArchive(manifest: string): boolean {
  return new RegExp(`"${PACKAGE}": "file:[^"]*${VENDOR}/`).test(manifest);
}

/** Warns about packages in which only the build output uses the SDK, such as published packages. */
function addBuilt(
  folder: string,
  manifests: ReadonlyMap<string, ProjectText>,
  diagnostics: Diagnostics,
): void {
  for (const [path, { text }] of manifests) {
    if (!sdkDependencies(text)?.size) continue;
    const place = dirname(join(folder, path));
    const built = builtFiles(place).find((file) =>
      mentionsSdk(projectText(join(place, file)).text),
    );
    if (built === undefined) continue;
    diagnostics.add({
      code: "MCG8010",
      severity: "warning",
      message:
        "Only build output imports the SDK, and it is left alone, because a build would replace it.",
      hint: "Run this where the sources are, and build there.",
      file: join(place, built),
    });
  }
}

function manifestsAbove(file: string, texts: ReadonlyMap<string, ProjectText>): string[] {
  const above: string[] = [];
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, "package.json");
    if (texts.has(path)) above.push(path);
    if (folder === ".") return above;
  }
}

const IMPORT_OF_ZOD =
  /^(?![^\S\n]*(?:\/\/|\*)).*\b(?:from|import|require)\s*(?:\(\s*)?["']zod(?:\/[\w/-]+)?["']/m;

/** The version range to use for zod if it is not installed, which is the range used by version 1 of the SDK. */
const ZOD = "^3.25.0 || ^4.0.0";

/**
 * Returns a version range for zod if no manifest names it. In that case, it was installed only as a dependency of the
 * SDK.
 */
function unnamedZod(
  folder: string,
  path: string,
  texts: ReadonlyMap<string, ProjectText>,
  diagnostics: Diagnostics,
): string | undefined {
  const above = manifestsAbove(path, texts);
  if (above.some((one) => dependencyNames(texts.get(one)!.text).includes("zod"))) return undefined;
  const installed = above
    .map((one) => join(folder, dirname(one), "node_modules/zod/package.json"))
    .find((file) => existsSync(file));
  const version = installed && versionIn(projectText(installed).text);
  diagnostics.add({
    code: "MCG8011",
    severity: "warning",
    message:
      "zod is imported, but was only a dependency of the SDK; it becomes one of this package.",
    hint: "Check its version range.",
    file: join(folder, path),
  });
  return version === undefined ? ZOD : `^${version}`;
}

/**
 * Returns the manifest to which a source belongs: the nearest one that names the SDK or our package or, failing that,
 * the nearest one of all.
 */
function manifestFor(source: string, texts: ReadonlyMap<string, ProjectText>): string | undefined {
  const above = manifestsAbove(source, texts);
  const naming = above.find((path) => {
    const { text } = texts.get(path)!;
    return sdkDependencies(text)?.size || dependencyNames(text).includes(PACKAGE);
  });
  return naming ?? above[0];
}

/** Keeps SDK packages that other dependencies require as peers. */
function addPeers(
  folder: string,
  path: string,
  text: string,
  { stillUsed }: Scope,
  diagnostics: Diagnostics,
): void {
  const place = dirname(join(folder, path));
  const ours = sdkDependencies(text) ?? new Set<string>();
  for (const name of dependencyNames(text)) {
    const file = join(place, "node_modules", name, "package.json");
    if (ours.has(name) || name === PACKAGE || !existsSync(file)) continue;
    for (const dependency of peerNames(projectText(file).text).filter((peer) => ours.has(peer))) {
      if (stillUsed.has(packageOf(dependency))) continue;
      stillUsed.add(dependency);
      diagnostics.add({
        code: "MCG8005",
        severity: "warning",
        message: `${dependency} stays a dependency: ${name} requires it as a peer.`,
        hint: `Objects of ${PACKAGE} are not instances of the official SDK's classes; check that ${name} accepts them.`,
        file: join(folder, path),
      });
    }
  }
}
