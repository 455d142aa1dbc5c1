import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Diagnostics } from "../../generator/diagnostics.js";
import { link } from "../../generator/link/link.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { model } from "../../generator/model/model.js";

const folder = fileURLToPath(new URL("../../schema/", import.meta.url));

/** The revisions that the package contains, oldest first. */
export const bundled: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "extensions")
  .map(({ name }) => name)
  .toSorted();

/** Links a bundled revision with its facts. Throws if anything about it is reported. */
export function protocolOf(revision: string): Protocol {
  const diagnostics = new Diagnostics();
  const factsFile = `${folder}${revision}/facts.json`;
  const facts = readFacts(readFileSync(factsFile, "utf8"), factsFile, diagnostics);
  const text = readFileSync(`${folder}${revision}/schema.ts`, "utf8");
  const source = { file: `${revision}/schema.ts`, text, sha256: "0".repeat(64) };
  const protocol = link(
    model(source, diagnostics),
    { revision, ...(facts && { facts }) },
    diagnostics,
  );
  if (!protocol || diagnostics.items.length > 0) {
    throw new Error(diagnostics.items.map(({ code, message }) => `${code} ${message}`).join("\n"));
  }
  return protocol;
}
