import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A protocol revision whose schema comes with this package. */
export interface BundledRevision {
  /** The revision's id, such as `2025-03-26`; also the name of its folder. */
  readonly revision: string;
  /** The absolute path of its schema. */
  readonly schema: string;
  /** The absolute path of the file with facts that its schema does not state; absent if there are none. */
  readonly facts?: string;
}

/** Returns all bundled revisions, oldest first. */
export function bundledRevisions(): readonly BundledRevision[] {
  const folder = join(packageFolder(), "schema");
  return readdirSync(folder)
    .toSorted()
    .map((revision) => ({ revision, path: join(folder, revision) }))
    .filter(({ path }) => existsSync(join(path, "schema.ts")))
    .map(({ revision, path }) => {
      const facts = join(path, "facts.json");
      return { revision, schema: join(path, "schema.ts"), ...(existsSync(facts) && { facts }) };
    });
}

export function bundledRevision(revision: string): BundledRevision | undefined {
  return bundledRevisions().find((bundled) => bundled.revision === revision);
}

/** An extension whose schema comes with this package. */
export interface BundledExtension {
  /** A short name, such as `tasks`; also the name of the folder. */
  readonly name: string;
  /** The extension's id, such as `io.modelcontextprotocol/tasks`. */
  readonly id: string;
  /** The revision that it extends. */
  readonly extends: string;
  /** The absolute path of its schema. */
  readonly schema: string;
  /** The absolute path of the file with facts that its schema does not state. */
  readonly facts: string;
}

/** Returns all bundled extensions, sorted by name. */
export function bundledExtensions(): readonly BundledExtension[] {
  const folder = join(packageFolder(), "schema", "extensions");
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const facts = join(folder, name, "facts.json");
      const { revision: id, extends: extended } = JSON.parse(readFileSync(facts, "utf8")) as {
        revision: string;
        extends: string;
      };
      return { name, id, extends: extended, schema: join(folder, name, "schema.ts"), facts };
    });
}

/** Finds a bundled extension by its name or id. */
export function bundledExtension(nameOrPath: string): BundledExtension | undefined {
  return bundledExtensions().find(({ name, id }) => name === nameOrPath || id === nameOrPath);
}

/** Returns true if `sha256` is the digest of the revision's bundled schema. */
export function isBundledSchema(revision: string, sha256: string): boolean {
  const bundled = bundledRevision(revision);
  if (bundled === undefined) return false;
  return createHash("sha256").update(readFileSync(bundled.schema)).digest("hex") === sha256;
}

/** Returns the package's root folder, whether this module runs from sources or compiled. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        "Cannot find the package.json of mcp-codegen above its code. Install mcp-codegen again.",
      );
    folder = parent;
  }
  return folder;
}

export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
