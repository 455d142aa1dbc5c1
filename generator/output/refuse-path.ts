import type { Diagnostics } from "../diagnostics.js";

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

/** Reports a failed file operation, with its path and a remedy; rethrows anything but a system error. */
export function refusePath(
  action: "read" | "write" | "remove",
  path: string,
  error: unknown,
  diagnostics: Diagnostics,
): void {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
  diagnostics.add({
    code: "MCG6006",
    severity: "error",
    message: `Cannot ${action} "${path}": ${code}.`,
    hint: HINTS[code] ?? "Check the path and try again.",
    file: path,
  });
}
