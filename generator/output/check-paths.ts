import type { Diagnostics } from "../diagnostics.js";

/** Maximum length of a file or folder name, in UTF-8 bytes, that common file systems and archives support. */
const LONGEST_NAME = 200;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const FORBIDDEN = /[\p{Cc}<>:"|?*\\]/u;

/**
 * Rejects paths that would leave the output folder, that some file system does not support, or that collide if names
 * are compared case-insensitively. Does not access the disk.
 */
export function checkPaths(paths: readonly string[], diagnostics: Diagnostics): boolean {
  let ok = true;
  const refuse = (code: string, path: string, message: string): void => {
    ok = false;
    const hint = "Rename the declaration or the revision that the path is made from.";
    diagnostics.add({ code, severity: "error", message, hint, file: path });
  };
  const seen = new Map<string, { readonly name: string; readonly isFile: boolean }>();
  for (const path of paths) {
    const problem = problemOf(path);
    if (problem) {
      const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path);
      refuse("MCG6001", path, `${shown} cannot be the path of a generated file: ${problem}.`);
    }
    for (const name of prefixes(path)) {
      const isFile = name === path;
      const other = seen.get(fold(name));
      if (other && (isFile || other.isFile || other.name !== name)) {
        refuse(
          "MCG6002",
          path,
          `"${name}" and "${other.name}" are the same where case is ignored.`,
        );
        break;
      }
      seen.set(fold(name), { name, isFile });
    }
  }
  return ok;
}

/** Form of a path that a case-insensitive file system compares. */
export function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function prefixes(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function problemOf(path: string): string | undefined {
  if (path.startsWith("/")) return "it is absolute";
  return path
    .split("/")
    .map(problemOfName)
    .find((problem) => problem !== undefined);
}

/** Problem of one segment of a path, as the end of a sentence; undefined if there is none. */
export function problemOfName(name: string): string | undefined {
  if (name === "") return "it has an empty name";
  if (name === "." || name === "..") return `it contains "${name}"`;
  if (FORBIDDEN.test(name)) return "it has a character that file systems refuse";
  if (/[. ]$/.test(name)) return "a name ends with a dot or a space";
  if (WINDOWS_DEVICE.test(name)) return "it is the name of a device on Windows";
  if (name.toLowerCase() === "node_modules") return "it is the name of npm's own folder";
  if (Buffer.byteLength(name) > LONGEST_NAME) return `a name is longer than ${LONGEST_NAME} bytes`;
  return undefined;
}
