import type { Diagnostics } from "mcp-codegen";
import { type ServerDescription, usageError } from "mcp-codegen/cli";
import { lockDiff } from "../diff/contract-diff.js";
import { describeServer } from "../emit/contract-docs.js";
import { planContract } from "../emit/contract-plan.js";
import { readLock } from "../lock/read-lock.js";

/** Describes the servers in the last lock file. If there are two files, also describes the changes between them. */
export function describeServers(
  files: readonly string[],
  diagnostics: Diagnostics,
): readonly ServerDescription[] | undefined {
  if (files.length > 2) {
    const hint = "Name one lock file, or an older and a newer one.";
    diagnostics.add(usageError(`--lock is named ${files.length} times.`, hint));
    return undefined;
  }
  const locks = files.map((file) => readLock(file, diagnostics));
  const [before, last] = locks.length === 2 ? locks : [undefined, locks[0]];
  if (last === undefined || locks.includes(undefined)) return undefined;
  const changes = before && lockDiff(before, last);
  return Object.entries(last.servers).map(([name, locked]) => {
    const plan = planContract(name, locked, { command: "", unchecked: {} }, () => {});
    const own = changes?.filter(({ server }) => server === name);
    return describeServer(plan, own);
  });
}
