import { type BundledRevision, bundledRevisions } from "../bundled/bundled.js";
import type { Diagnostics } from "../diagnostics.js";
import type { Outcome } from "./outcome.js";
import { readFactsFile } from "./read-input.js";
import { alignRows } from "./table.js";
import { count } from "./units.js";

/** `list`: what can be generated without a schema of one's own. */
export function runList(diagnostics: Diagnostics): Outcome {
  const revisions = bundledRevisions().map((bundled) => describe(bundled, diagnostics));
  const rows = revisions.map(({ revision, released, title }) => [
    revision,
    released ?? "",
    title ?? "",
  ]);
  return {
    data: { revisions },
    lines: alignRows([["Revision", "Released", "Known for"], ...rows]),
    summary: `${count(rows.length, "revision")}; generate one with "mcp-codegen --revision <id>".`,
  };
}

function describe({ revision, schema, facts: file }: BundledRevision, diagnostics: Diagnostics) {
  const facts = file === undefined ? undefined : readFactsFile(file, diagnostics);
  const { title, released, official } = facts ?? {};
  return { revision, title, released, schema, official };
}
