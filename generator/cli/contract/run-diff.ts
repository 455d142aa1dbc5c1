import { packageVersion } from "../../bundled/bundled.js";
import { classSummary, failsOn } from "../change-classes.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { loadPart } from "../lock/modules.js";
import type { Outcome } from "../outcome.js";
import { renderJson } from "../text.js";
import { changeLines } from "./change-lines.js";

/** `contract diff`: classes of change between two lock files. */
export async function runContractDiff(
  values: Values,
  { diagnostics }: Context,
): Promise<Outcome | undefined> {
  if (values.flag("sarif") && values.flag("json")) {
    diagnostics.add(usageError("--sarif and --json exclude each other.", "Use one of them."));
    return undefined;
  }
  const part = await loadPart(() => import("./part.js"), diagnostics);
  if (part === undefined) return undefined;
  const [old, next] = ["old", "new"].map((name) => part.readLock(values.text(name)!, diagnostics));
  if (old === undefined || next === undefined) return undefined;
  const changes = part.lockDiff(old, next);
  const drift = failsOn(changes, values.text("fail-on") ?? "prose");
  if (values.flag("sarif")) {
    const log = part.sarifOf(changes, values.text("new")!, packageVersion());
    return { data: {}, lines: [renderJson(log, 2)], drift };
  }
  const servers = [...new Set(changes.map(({ server }) => server))];
  const lines = servers.flatMap((server) => [
    server,
    ...changeLines(changes.filter((change) => change.server === server)),
  ]);
  return { data: { changes }, lines, summary: classSummary(changes), drift };
}
