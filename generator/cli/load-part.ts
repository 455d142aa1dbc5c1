import type { Diagnostics } from "../diagnostics.js";
import { usageError } from "./explain-usage.js";

/** Loads a module of a separately installed package. Reports a missing package instead of throwing. */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  diagnostics: Diagnostics,
): Promise<Part | undefined> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [, name] = /^Cannot find package '([^']+)'/.exec(message) ?? [];
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

/** Loads, on demand, the code that writes generated files, because few commands need it and its formatter. */
export async function loadWriting(): Promise<{
  readonly report: typeof import("./run/generate-report.js").report;
  readonly writeAll: typeof import("./run/generate.js").writeAll;
  readonly missingPackages: typeof import("./run/generation.js").missingPackages;
  readonly cloneAround: typeof import("../bundled/clone.js").cloneAround;
}> {
  const { report } = await import("./run/generate-report.js");
  const { writeAll } = await import("./run/generate.js");
  const { missingPackages } = await import("./run/generation.js");
  const { cloneAround } = await import("../bundled/clone.js");
  return { report, writeAll, missingPackages, cloneAround };
}

/** Loads, on demand, the renderer for a server's page, because few commands need it. */
export async function loadServerSite(): Promise<typeof import("../docs/server-site.js")> {
  return import("../docs/server-site.js");
}
