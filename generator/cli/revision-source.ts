import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  bundledExtension,
  type BundledExtension,
  bundledExtensions,
  bundledRevision,
  bundledRevisions,
} from "../bundled/bundled.js";
import type { Diagnostic, Diagnostics } from "../diagnostics.js";
import { usageError } from "./explain-usage.js";
import { readFactsFile } from "./read-input.js";
import { suggest } from "./suggest.js";
import { problemOfName } from "../output/paths.js";
import { isRevisionId, REVISION_ID_RULE } from "../plan/ids.js";

export interface RevisionSource {
  readonly revision: string;
  readonly schema: string;
  readonly facts?: string;
  readonly isBundled: boolean;
  /** The revision that an extension is based on; absent if this is itself a revision. */
  readonly extends?: string;
}

/**
 * Resolves an argument that names a bundled revision, a bundled extension or the path of a schema.
 *
 * @param facts - the path of a facts file, which also determines the revision id
 */
export function protocolSource(
  nameOrPath: string,
  facts: string | undefined,
  diagnostics: Diagnostics,
): RevisionSource | undefined {
  const bundled = bundledExtension(nameOrPath);
  const source = bundled ? extensionSource(bundled) : revisionSource(nameOrPath, diagnostics);
  if (facts === undefined || source === undefined) return source;
  if (source.isBundled) {
    diagnostics.add(
      usageError(`${nameOrPath} has its own facts.`, "Use facts only with the path of a schema."),
    );
    return undefined;
  }
  const revision = readFactsFile(facts, diagnostics)?.revision;
  return revision === undefined ? undefined : { ...source, revision, facts };
}

export function extensionSource({
  id,
  schema,
  facts,
  ...bundled
}: BundledExtension): RevisionSource {
  return { revision: id, schema, facts, isBundled: true, extends: bundled.extends };
}

/**
 * Resolves a bundled revision or the path of a schema. A file named after a bundled revision receives that revision's
 * facts.
 */
export function revisionSource(
  nameOrPath: string,
  diagnostics: Diagnostics,
): RevisionSource | undefined {
  const bundled = bundledRevision(nameOrPath);
  if (bundled) return { ...bundled, isBundled: true };
  if (existsSync(nameOrPath)) {
    const revision = nameOf(nameOrPath);
    const facts = bundledRevision(revision)?.facts;
    return { revision, schema: nameOrPath, ...(facts && { facts }), isBundled: false };
  }
  const isPath = /[\\/]|\.ts$/.test(nameOrPath);
  diagnostics.add(
    isPath
      ? {
          code: "MCG1001",
          severity: "error",
          message: "There is no such file.",
          hint: "Check the path, or name a bundled revision.",
          file: nameOrPath,
        }
      : unknownRevision(nameOrPath),
  );
  return undefined;
}

/**
 * Derives a revision id from a path: the name of the file or of its folder, whichever is the first to be a date or
 * `draft`. If neither is, the id is the file's name.
 */
function nameOf(file: string): string {
  const parts = resolve(file).split(/[\\/]/);
  const name = parts.at(-1)!.replace(/\.ts$/, "");
  return (
    [name, parts.at(-2) ?? ""].find((part) => /^(?:\d{4}-\d\d-\d\d|draft)$/.test(part)) ?? name
  );
}

/**
 * Returns the diagnostic for an unknown revision.
 *
 * @param otherwise - a hint to use if no bundled name is similar
 */
export function unknownRevision(id: string, otherwise?: string): Diagnostic {
  const revisions = bundledRevisions().map(({ revision }) => revision);
  const extensions = bundledExtensions().map(({ name }) => name);
  return {
    code: "MCG0002",
    severity: "error",
    message: `There is no bundled revision "${id}".`,
    hint:
      suggest(id, [...revisions, ...extensions]) ??
      otherwise ??
      `Bundled revisions: ${revisions.join(", ")}. For another one, use --schema <file>.`,
  };
}

/** Returns the reason why a string cannot be a revision id, as the end of a sentence; undefined if it can. */
export function problemOfRevision(revision: string): string | undefined {
  return isRevisionId(revision) ? problemOfName(revision) : REVISION_ID_RULE;
}
