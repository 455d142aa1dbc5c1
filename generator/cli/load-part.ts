import type { Diagnostics } from "../diagnostics.js";
import { usageError } from "./explain-usage.js";

/** Loads a module whose dependencies are installed beside this package; undefined if one is missing. */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  diagnostics: Diagnostics,
): Promise<Part | undefined> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [name] = /@mcp-codegen\/[\w-]+/.exec(message) ?? [];
    if (code !== "ERR_MODULE_NOT_FOUND" || name === undefined) throw error;
    diagnostics.add(
      usageError(
        `This command needs the package ${name}, which is not installed.`,
        `Install it beside this one: npm install mcp-codegen ${name}`,
      ),
    );
    return undefined;
  }
}
