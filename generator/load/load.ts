import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Diagnostics } from "../diagnostics.js";
import type { Source } from "./source.js";

/** Reads a schema from disk; refuses what is unreadable or not UTF-8. */
export function load(file: string, diagnostics: Diagnostics): Source | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    diagnostics.add({
      code: "MCG1001",
      severity: "error",
      message: `Cannot read the schema: ${(error as NodeJS.ErrnoException).code}.`,
      file,
    });
    return undefined;
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    diagnostics.add({ code: "MCG1002", severity: "error", message: "The file is not valid UTF-8.", file });
    return undefined;
  }
  return { file, text, sha256: createHash("sha256").update(bytes).digest("hex") };
}
