import {
  type Context,
  type Outcome,
  type Values,
  classSummary,
  failsOn,
  packageVersion,
  renderJson,
  usageError,
  type Text,
  classLines,
} from "mcp-codegen/cli";
import { lockDiff } from "../diff/contract-diff.js";
import { sarifOf } from "../diff/render-sarif.js";
import { readLock } from "../lock/read-lock.js";
import { type ContractChange, entryText } from "../diff/change.js";

/** Runs `contract diff`, which compares two lock files and groups the changes by class. */
export async function runContractDiff(
  values: Values,
  { diagnostics }: Context,
): Promise<Outcome | undefined> {
  if (values.flag("sarif") && values.flag("json")) {
    diagnostics.add(usageError("--sarif and --json cannot be combined.", "Use one of them."));
    return undefined;
  }
  const [old, next] = ["old", "new"].map((name) => readLock(values.text(name)!, diagnostics));
  if (old === undefined || next === undefined) return undefined;
  const changes = lockDiff(old, next, values.list("ignore"));
  const drift = failsOn(changes, values.text("fail-on") ?? "prose");
  if (values.flag("sarif")) {
    const log = sarifOf(changes, values.text("new")!, packageVersion());
    return { data: {}, lines: [renderJson(log, 2)], drift };
  }
  const servers = [...new Set(changes.map(({ server }) => server))];
  const lines = servers.flatMap((server) => [
    server,
    ...changeLines(changes.filter((change) => change.server === server)),
  ]);
  return { data: { changes }, lines, summary: classSummary(changes), drift };
}

export function changeLines(changes: readonly ContractChange[]): readonly Text[] {
  return classLines(changes, (change) => {
    const { list, pointer, message } = change;
    const entry = list === "server" ? [] : [entryText(change)];
    const place = [...entry, ...(pointer === "" ? [] : [pointer])].join(" ");
    return `${place}: ${message}`;
  });
}
