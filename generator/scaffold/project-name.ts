import { basename, resolve } from "node:path";
import { problemOfName } from "../output/paths.js";

/** Matches the package names that npm accepts, with or without a scope. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** Names that npm rejects even though they match the pattern. */
const REFUSED_BY_NPM = new Set(["node_modules", "favicon.ico"]);

/** The maximum length of a name that npm accepts, in characters. */
const MAX_LENGTH = 214;

export interface ProjectName {
  /** The absolute path of the folder that the project is written to. */
  readonly folder: string;
  readonly packageName: string;
}

/**
 * Parses the name argument for a new project: a name, a scoped name (`@me/notes` is written to `notes/`), or a path
 * that ends with the name. Returns an explanation if the name is invalid.
 */
export function projectName(name: string, cwd: string): ProjectName | { readonly problem: string } {
  const scoped = name.startsWith("@") && name.split("/").length === 2;
  const folder = resolve(cwd, scoped ? name.split("/")[1]! : name);
  const packageName = scoped ? name : basename(folder);
  const problem = problemOf(packageName, basename(folder));
  return problem === undefined
    ? { folder, packageName }
    : { problem: `${JSON.stringify(packageName)} cannot be the name of a project: ${problem}.` };
}

function problemOf(packageName: string, folderName: string): string | undefined {
  if (packageName.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (!PACKAGE_NAME.test(packageName)) {
    return 'use lower-case letters, digits, "-", "_" and ".", not leading with "." or "_"';
  }
  if (REFUSED_BY_NPM.has(packageName)) return "npm has no package of that name";
  return problemOfName(folderName);
}
