import { bundledExtensions, bundledRevisions } from "../../bundled/bundled.js";
import type { Diagnostics } from "../../diagnostics.js";
import type { Outcome } from "../outcome.js";
import { readFactsFile } from "../read-input.js";
import { alignRows, count } from "../text.js";

export function runList(diagnostics: Diagnostics): Outcome {
  const revisions = bundledRevisions().map(({ revision, schema, facts }) => ({
    revision,
    ...describe(schema, facts, diagnostics),
  }));
  const extensions = bundledExtensions().map(({ name, id, schema, facts, ...bundled }) => ({
    name,
    id,
    extends: bundled.extends,
    ...describe(schema, facts, diagnostics),
  }));
  const rows = revisions.map(({ revision, released, title }) => [
    revision,
    released ?? "",
    title ?? "",
  ]);
  const named = extensions.map((each) => [each.name, each.extends, each.title ?? ""]);
  return {
    data: { revisions, extensions },
    lines: [
      ...alignRows([["Revision", "Released", "Known for"], ...rows]),
      "",
      ...alignRows([["Extension", "Extends", "Known for"], ...named]),
    ],
    summary: `${count(rows.length, "revision")}, ${count(named.length, "extension")}; generate one with "mcp-codegen --revision <id>" or "mcp-codegen extension <name>".`,
  };
}

function describe(schema: string, file: string | undefined, diagnostics: Diagnostics) {
  const facts = file === undefined ? undefined : readFactsFile(file, diagnostics);
  const { title, released, official } = facts ?? {};
  return { title, released, schema, official };
}
