import type { Diagnostics } from "../../diagnostics.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { resolveExtension } from "./extension-targets.js";
import { generateOnce } from "./generate-once.js";
import { Generator } from "./generation.js";
import type { Mode } from "./report.js";
import { resolveRequest } from "./targets.js";
import { type Resolve, watch } from "./watch.js";

export function runGenerate(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, (diagnostics) => resolveRequest(values, diagnostics));
}

export function runExtension(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, async (diagnostics) => resolveExtension(values, diagnostics));
}

async function run(
  values: Values,
  context: Context,
  resolve: Resolve,
): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const mode = modeOf(values, diagnostics);
  if (mode === undefined) return undefined;
  const request = await resolve(diagnostics);
  if (request === undefined) return undefined;
  const force = values.flag("force");
  if (values.flag("watch")) return watch(resolve, request, force, context);
  const generator = new Generator(request);
  return generateOnce(request, { mode, force, generator, progress }, diagnostics);
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
