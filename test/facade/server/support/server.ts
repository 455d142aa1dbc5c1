import {
  McpServer as UniversalServer,
  type McpServerOptions,
  revisions,
} from "@mcp-codegen/universal";

/** A server for all revisions that records everything it reports. */
export class McpServer extends UniversalServer {
  readonly reports: Error[];

  constructor(options: McpServerOptions = {}) {
    const reports: Error[] = [];
    const onerror = (error: Error) => void reports.push(error);
    super({ name: "tested", version: "1" }, { onerror, ...options });
    this.reports = reports;
  }
}

/** The revision ids, newest first. */
export const REVISIONS: readonly string[] = revisions.map(({ id }) => id);

/** Returns facts from the specification about a server that clients of a revision can see. */
export function factsOf(revision: string) {
  return {
    isAlone: revision >= "2026-07-28",
    icons: revision >= "2025-11-25",
    urls: revision >= "2025-11-25",
    samplingTools: revision >= "2025-11-25",
    argumentErrors: revision >= "2025-11-25" ? ("result" as const) : ("error" as const),
    titles: revision >= "2025-06-18",
    elicitation: revision >= "2025-06-18",
    structured: revision >= "2025-06-18",
    completionContext: revision >= "2025-06-18",
    annotations: revision >= "2025-03-26",
    progressMessage: revision >= "2025-03-26",
  };
}
