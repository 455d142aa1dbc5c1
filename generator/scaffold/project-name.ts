import { basename, resolve } from "node:path";

/** Package names that npm accepts, scope included. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** npm's own limit. */
const MAX_LENGTH = 214;

export interface ProjectName {
  /** Absolute path of the folder to write. */
  readonly folder: string;
  /** Name for its package.json. */
  readonly packageName: string;
}

/**
 * Reads the NAME of a new project: a name, a scoped name (`@me/notes` goes into `notes/`), or a path whose last part is
 * the name. Answers an explanation when it is none of them.
 */
export function projectName(
  given: string,
  cwd: string,
): ProjectName | { readonly problem: string } {
  const scoped = given.startsWith("@") && given.split("/").length === 2;
  const folder = resolve(cwd, scoped ? given.split("/")[1]! : given);
  const packageName = scoped ? given : basename(folder);
  if (packageName.length <= MAX_LENGTH && PACKAGE_NAME.test(packageName))
    return { folder, packageName };
  return {
    problem: `"${packageName}" cannot be a package name: use lower-case letters, digits, "-", "_" and ".", not leading with "." or "_".`,
  };
}
