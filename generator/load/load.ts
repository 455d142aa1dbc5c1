import type { Diagnostics } from "../diagnostics.js";
import { MAX_BYTES } from "./limits.js";
import { NOT_REGULAR, readBytes } from "./read-bytes.js";
import { sourceFromBytes, type SourceOptions } from "./source-from-bytes.js";
import type { Source } from "./source.js";

/**
 * Reads a schema from disk. Rejects (MCG1001 to MCG1007) a file that is missing, unreadable, empty, too large or not
 * UTF-8, or that does not have the expected digest.
 */
export function load(
  file: string,
  diagnostics: Diagnostics,
  options: SourceOptions = {},
): Source | undefined {
  try {
    return sourceFromBytes(file, readBytes(file, MAX_BYTES), diagnostics, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    diagnostics.add({ ...explain(code, error), severity: "error", file });
    return undefined;
  }
}

function explain(code: string | undefined, error: unknown) {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return {
        code: "MCG1001",
        message: "The schema file does not exist.",
        hint: "Check the path; it is resolved against the current directory.",
      };
    case "EISDIR":
      return {
        code: "MCG1003",
        message: "The schema is a directory, not a file.",
        hint: "Pass the path of the schema.ts inside it.",
      };
    case NOT_REGULAR:
      return {
        code: "MCG1003",
        message: "The schema is a device or a pipe, not a file.",
        hint: "Save it to a file, and pass the path of that file.",
      };
    case "EACCES":
    case "EPERM":
      return {
        code: "MCG1004",
        message: `The schema file cannot be read: permission denied (${code}).`,
        hint: "Grant this user permission to read the file.",
      };
    default:
      return {
        code: "MCG1004",
        message: `The schema file cannot be read (${code ?? String(error)}).`,
        hint: "Copy it to a local file, and pass the path of that file.",
      };
  }
}
