import type { Diagnostics } from "../diagnostics.js";
import { isSealBroken, withoutSeal } from "../format/seal.js";

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "Change its permissions, or choose another folder with --out.",
  EPERM: "Change its permissions, or choose another folder with --out.",
  EROFS: "The file system is read-only; choose another folder with --out.",
  ENOSPC: "The disk is full; free some space and try again.",
  EDQUOT: "The disk quota is used up; free some space and try again.",
  ENOTDIR: "A part of the path is a file; choose another folder with --out.",
  EEXIST: "A part of the path is a file; choose another folder with --out.",
  ENAMETOOLONG: "Choose a shorter path with --out.",
  ENOENT:
    "The folder cannot be created there, or disappeared meanwhile; choose another with --out.",
  EBUSY: "Another program uses the file; close it and try again.",
};

/** Hints for an input file that the user named, by error code. */
const INPUT_HINTS: Readonly<Record<string, string>> = {
  EACCES: "Change its permissions.",
  EPERM: "Change its permissions.",
  EFBIG: "The file is too large; split it.",
  ENOTREGULAR: "It is a device or a pipe, not a file.",
};

/**
 * Reports a failed file operation, with its path and a remedy; rethrows errors other than system errors.
 *
 * @param isInput - true for an input that the user named, false for a path in the output folder
 */
export function refusePath(
  action: "read" | "write" | "remove",
  path: string,
  error: unknown,
  diagnostics: Diagnostics,
  isInput = false,
): void {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined || code.startsWith("ERR_")) throw error;
  diagnostics.add({
    code: "MCG6006",
    severity: "error",
    message: `Cannot ${action} "${path}": ${code}.`,
    hint: (isInput ? INPUT_HINTS : HINTS)[code] ?? "Check the path and try again.",
    file: path,
  });
}

/** Maximum length of a file or folder name, in UTF-8 bytes; common file systems and archives support it. */
const LONGEST_NAME = 200;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const FORBIDDEN = /[\p{Cc}<>:"|?*\\]/u;

/**
 * Rejects paths that would lead out of the output folder, that some file system does not support, or that would
 * be the same if case were ignored. Does not access the disk.
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

/** Returns a path in the form that a case-insensitive file system compares. */
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

/** Returns the reason why a file or folder cannot have a name, as the end of a sentence; undefined if it can. */
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

/**
 * Pattern of the mark at the beginning of each generated file. Text that only mentions the mark, such as a user's
 * notes, does not match.
 */
const MARK =
  /^\ufeff?(?:\/[/*] |<!-- |[{\s]*"(?:\/\/|generator)"\s*:\s*")Generated by mcp-codegen from /;
/** Maximum distance of the mark from the start of a file, in characters. */
export const MARK_WITHIN = 300;

/** True if text has the mark of this generator, so the file may be replaced or removed. */
export function isOwned(text: string): boolean {
  return originLine(text) !== undefined;
}

/** True if generated text was changed afterwards; false if it has no seal. */
export function isEdited(text: string): boolean {
  return isSealBroken(text);
}

/**
 * Returns the input that a file was generated from, such as `schema.ts of 2025-03-26`; undefined if the file does not
 * state it.
 */
export function inputOf(text: string): string | undefined {
  return / from (.+?),? \(sha256 /.exec(withoutSeal(text).slice(0, MARK_WITHIN))?.[1];
}

function originLine(text: string): string | undefined {
  return text
    .slice(0, MARK_WITHIN)
    .split("\n")
    .find((line) => MARK.test(line))
    ?.trimEnd();
}
