import { serveStdio } from "@mcp-codegen/runtime/stdio";
import type { Package } from "../support/packages.js";
import { Serving } from "./serving.js";
import type { ServerKind } from "./wire.js";

const notify = (word: string) => (text: string) => process.stderr.write(`${word} ${text}\n`);

/**
 * Runs a server as a process. Its arguments are a revision, what the server offers, and whether clients are trusted.
 */
export async function main(packages: readonly Package[]): Promise<void> {
  const [id, kind, trust] = process.argv.slice(2);
  const from = packages.find(({ revision }) => revision.id === id)!;
  const serving = new Serving(from, kind as ServerKind, trust === "trusts", {
    onviolation: notify("VIOLATION"),
    onerror: notify("ERROR"),
  });
  await serveStdio(serving.fork());
}
