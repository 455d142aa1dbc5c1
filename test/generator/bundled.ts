import { readFileSync } from "node:fs";
import { type BundledRevision, bundledRevisions } from "../../generator/bundled/bundled.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { generate } from "../../generator/generate.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { load } from "../../generator/load/load.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";

export const revisions = bundledRevisions().map(({ revision }) => revision);

/** Generates all files of a bundled revision in memory. `change` alters the schema's text first. */
export async function generateBundled(
  revision: string,
  change: (text: string) => string = (text) => text,
): Promise<OutputFile[]> {
  const diagnostics = new Diagnostics();
  const bundled = bundledRevisions().find((candidate) => candidate.revision === revision)!;
  const source = load(bundled.schema, diagnostics)!;
  const facts = factsOf(bundled, diagnostics);
  const files = await generate(
    { source: { ...source, text: change(source.text) }, revision, ...(facts && { facts }) },
    diagnostics,
  );
  if (files === undefined) throw new Error(JSON.stringify(diagnostics.items, null, 2));
  return files;
}

function factsOf({ facts }: BundledRevision, diagnostics: Diagnostics) {
  return facts === undefined
    ? undefined
    : readFacts(readFileSync(facts, "utf8"), facts, diagnostics);
}
