import type { Diagnostics } from "../../diagnostics.js";
import { usageError } from "../explain-usage.js";

/** Loads a part that needs packages which are installed beside this one; undefined when they are not. */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  diagnostics: Diagnostics,
): Promise<Part | undefined> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes("@mcp-codegen/")) throw error;
    diagnostics.add(
      usageError(
        "This command needs the package @mcp-codegen/universal, which is not installed.",
        "Install it beside this one: npm install mcp-codegen @mcp-codegen/universal",
      ),
    );
    return undefined;
  }
}
