import type { Diagnostics } from "../../diagnostics.js";
import { usageError } from "../explain-usage.js";

/** The optional peer `@mcp-codegen/auth`. */
export interface Modules {
  readonly client: typeof import("@mcp-codegen/auth/client");
  readonly node: typeof import("@mcp-codegen/auth/node");
}

export async function loadModules(diagnostics: Diagnostics): Promise<Modules | undefined> {
  try {
    const client = await import("@mcp-codegen/auth/client");
    return { client, node: await import("@mcp-codegen/auth/node") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    diagnostics.add(
      usageError(
        "This command needs the package @mcp-codegen/auth, which is not installed.",
        "Install it beside this one: npm install mcp-codegen @mcp-codegen/auth",
      ),
    );
    return undefined;
  }
}
