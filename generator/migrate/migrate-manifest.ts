import { ts } from "ts-morph";
import { isSdkSpecifier, PACKAGE } from "./specifier.js";
import { edited, type TextEdit } from "./text-edit.js";

const SECTIONS = [
  "dependencies",
  "peerDependencies",
  "optionalDependencies",
  "devDependencies",
] as const;

type Dependencies = Readonly<Record<string, string>>;

interface Manifest extends Partial<Readonly<Record<(typeof SECTIONS)[number], Dependencies>>> {
  readonly version?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
  readonly resolutions?: Readonly<Record<string, unknown>>;
}

export function sdkDependencies(text: string): ReadonlySet<string> | undefined {
  const manifest = parse(text);
  if (manifest === undefined) return undefined;
  const names = SECTIONS.flatMap((section) => Object.keys(manifest[section] ?? {}));
  return new Set(names.filter(isSdkSpecifier));
}

export function dependencyNames(text: string): string[] {
  const manifest = parse(text);
  return SECTIONS.flatMap((section) => Object.keys(manifest?.[section] ?? {}));
}

export function peerNames(text: string): string[] {
  return Object.keys(parse(text)?.peerDependencies ?? {});
}

export function versionIn(text: string): string | undefined {
  return parse(text)?.version;
}

/**
 * Adds our package to each section that contains an SDK package, and removes the SDK's unused packages, except those
 * that a script names. Everything else keeps its formatting.
 *
 * @param stillUsed - the SDK packages to keep
 * @param archive - the location of our package, if no registry has it: `file:vendor/….tgz`. Peer dependencies keep the
 *   range.
 */
export function migrateManifest(
  text: string,
  range: string,
  stillUsed: ReadonlySet<string>,
  archive?: string,
): string {
  const opened = open(text);
  if (opened === undefined) return text;
  const { manifest, source, root } = opened;
  const scripts = Object.values(manifest.scripts ?? {}).join("\n");
  const isUnused = (name: string) =>
    isSdkSpecifier(name) && !stillUsed.has(name) && !scripts.includes(name);
  const has = dependencyNames(text);
  const places = SECTIONS.filter((section) =>
    Object.keys(manifest[section] ?? {}).some(isSdkSpecifier),
  );
  if (places.length === 0 && !has.includes(PACKAGE)) places.push("dependencies");
  const isPeerOnly = !places.some((section) => section !== "peerDependencies");
  if (archive !== undefined && isPeerOnly) places.push("devDependencies");
  const rangeIn = (section: string): string =>
    section === "peerDependencies" ? range : (archive ?? range);
  const edits = SECTIONS.flatMap((section): TextEdit[] => {
    const before = manifest[section] ?? {};
    const after = entriesAfter(
      before,
      places.includes(section) ? rangeIn(section) : undefined,
      isUnused,
    );
    if (JSON.stringify(after) === JSON.stringify(Object.entries(before))) return [];
    return [sectionEdit(text, source, root, section, after)];
  });
  return edited(text, edits);
}

/**
 * Adds a package to the section that contains our package (other than peer dependencies) or, failing that, to
 * `dependencies`.
 */
export function withPackage(text: string, name: string, range: string): string {
  const opened = open(text);
  if (opened === undefined) return text;
  const { manifest, source, root } = opened;
  const section =
    SECTIONS.find((one) => one !== "peerDependencies" && PACKAGE in (manifest[one] ?? {})) ??
    "dependencies";
  const before = manifest[section] ?? {};
  const after = inOrder(before, [...Object.entries(before), [name, range]]);
  return edited(text, [sectionEdit(text, source, root, section, after)]);
}

/**
 * Adds the locations of our package's dependencies to a project's root manifest, in the section that the project's
 * package manager reads.
 */
export function withOverrides(
  text: string,
  section: "overrides" | "resolutions",
  places: Readonly<Record<string, string>>,
): string {
  const opened = open(text);
  if (opened === undefined) return text;
  const { manifest, source, root } = opened;
  const all = Object.entries({ ...manifest[section], ...places });
  return edited(text, [sectionEdit(text, source, root, section, all)]);
}

interface OpenManifest {
  readonly manifest: Manifest;
  readonly source: ts.JsonSourceFile;
  readonly root: ts.ObjectLiteralExpression;
}

function open(text: string): OpenManifest | undefined {
  const manifest = parse(text);
  const source = ts.parseJsonText("package.json", text);
  const root = source.statements[0]?.expression;
  if (manifest === undefined || root === undefined || !ts.isObjectLiteralExpression(root))
    return undefined;
  return { manifest, source, root };
}

function parse(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a section's entries after the migration. Our package takes the place of the first SDK package or, if there is
 * none, the last place. A sorted section stays sorted.
 */
function entriesAfter(
  before: Dependencies,
  range: string | undefined,
  isUnused: (name: string) => boolean,
): [string, string][] {
  const first = Object.keys(before).findIndex((name) => isSdkSpecifier(name));
  const after = Object.entries(before).flatMap(([name, version], index): [string, string][] => {
    const kept: [string, string][] = isUnused(name) ? [] : [[name, version]];
    return index === first && range !== undefined && !(PACKAGE in before)
      ? [[PACKAGE, range], ...kept]
      : kept;
  });
  if (first < 0 && range !== undefined && !(PACKAGE in before)) after.push([PACKAGE, range]);
  return inOrder(before, after);
}

function inOrder(before: Dependencies, after: [string, string][]): [string, string][] {
  const names = Object.keys(before);
  const isSorted = names.every((name, index) => index === 0 || names[index - 1]! <= name);
  return isSorted ? after.toSorted(([a], [b]) => (a < b ? -1 : 1)) : after;
}

function sectionEdit(
  text: string,
  source: ts.JsonSourceFile,
  root: ts.ObjectLiteralExpression,
  section: string,
  entries: readonly (readonly [string, unknown])[],
): TextEdit {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = entries.map(
    ([name, version]) => `${indent}${indent}${JSON.stringify(name)}: ${JSON.stringify(version)}`,
  );
  const value =
    lines.length === 0 ? "{}" : [`{`, lines.join(`,${newline}`), `${indent}}`].join(newline);
  const property = root.properties.find(
    (one): one is ts.PropertyAssignment =>
      ts.isPropertyAssignment(one) && ts.isStringLiteral(one.name) && one.name.text === section,
  );
  if (property !== undefined) {
    const { initializer } = property;
    return { start: initializer.getStart(source), end: initializer.getEnd(), text: value };
  }
  const last = root.properties.at(-1);
  const start = last === undefined ? root.getStart(source) + 1 : last.getEnd();
  const comma = last === undefined ? "" : ",";
  const after = last === undefined ? newline : "";
  return { start, end: start, text: `${comma}${newline}${indent}"${section}": ${value}${after}` };
}
