import type { Diagnostics } from "../../diagnostics.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { generateOnce } from "./generate-once.js";
import { Generator } from "./generation.js";
import type { Mode } from "./report.js";
import { resolveRequest } from "./targets.js";
import { watch } from "./watch.js";

export async function runGenerate(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const mode = modeOf(values, diagnostics);
  if (mode === undefined) return undefined;
  const request = await resolveRequest(values, diagnostics);
  if (request === undefined) return undefined;
  if (values.flag("watch")) return watch(values, request, context);
  const generator = new Generator(request.runtime);
  return generateOnce(request, { mode, generator, progress }, diagnostics);
}

function modeOf(values: Values, diagnostics: Diagnostics): Mode | undefined {
  const given = ["check", "dry-run", "watch"].filter((name) => values.flag(name));
  if (given.length > 1) {
    const names = given.map((name) => `--${name}`).join(" and ");
    diagnostics.add(usageError(`${names} exclude each other.`, "Use one of them."));
    return undefined;
  }
  return given[0] === "check" || given[0] === "dry-run" ? given[0] : "write";
}
