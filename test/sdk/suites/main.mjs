// Runs suites of the official SDK with the SDK itself and with @mcp-codegen/sdk, and compares the results with the
// ledgers.
import { join, resolve } from "node:path";
import { version1 } from "./version-1.mjs";
import { version2 } from "./version-2.mjs";
import { json, run } from "./workspace.mjs";

const repository = process.env.MCP_SDK_REPOSITORY;
if (!repository) {
  console.error("MCP_SDK_REPOSITORY must be a clone of the SDK's repository");
  process.exit(2);
}
const args = process.argv.slice(2);
const KEEP = "--keep-control";
const suites = { v1: version1, v2: version2 };
const chosen = Object.keys(suites).filter((name) => args.includes(name));
const only = args.filter((one) => one !== KEEP && !Object.hasOwn(suites, one));

/** Returns the test file or, in the end-to-end suite, the requirement that a test is about: `tools:call:progress`. */
function groupOf(key) {
  const [file, title = ""] = key.split(/ +/, 2);
  return file.startsWith("test/e2e/") ? title : file;
}

/** Returns the number of failures that the ledger admits, by group; a requirement admits any number. */
function admitted(ledger) {
  const counts = new Map();
  for (const { requirements = [], files = {} } of ledger) {
    for (const id of requirements) counts.set(id, undefined);
    for (const [file, count] of Object.entries(files))
      counts.set(file, (counts.get(file) ?? 0) + count);
  }
  return counts;
}

/**
 * Runs one suite on both sides.
 *
 * @returns the number of failures that the ledger does not explain, and of entries that are not needed
 */
async function compare(name, { name: title, control, ours, prepare }) {
  await prepare(resolve(repository));
  const expected = run(control, only, args.includes(KEEP));
  const actual = run(ours, only, false);
  const isChosen = (key) =>
    only.length === 0 || only.some((part) => key.split(" ", 1)[0].includes(part));
  const counted = [...expected]
    .filter(([key, { status }]) => status === "passed" && isChosen(key))
    .map(([key]) => key);
  const failed = counted.filter((key) => actual.get(key)?.status !== "passed");
  const known = admitted(json(join(import.meta.dirname, `ledger-${name}.json`)));
  const groups = new Map(failed.map((key) => [groupOf(key), []]));
  for (const key of failed) groups.get(groupOf(key)).push(key);
  const isAdmitted = (group) =>
    known.has(group) && groups.get(group).length <= (known.get(group) ?? Infinity);
  const unexplained = failed.filter((key) => !isAdmitted(groupOf(key)));
  for (const key of unexplained)
    console.log(`not in the ledger: ${key}\n  ${actual.get(key)?.text ?? "did not run"}`);
  const isStale = ([group, count]) => (groups.get(group)?.length ?? 0) < (count ?? 1);
  const stale = only.length > 0 ? [] : [...known].filter(isStale);
  for (const [group, count] of stale)
    console.log(
      `the ledger has ${count ?? "an entry"} for ${group}, of which ${groups.get(group)?.length ?? 0} fail`,
    );
  /**
   * Tests that the SDK's manifest expects to fail because the SDK misses the requirement. The requirement is met here.
   */
  const better = failed.filter((key) => actual.get(key)?.text.includes("Expect test to fail"));
  const share = ((100 * (counted.length - failed.length)) / counted.length).toFixed(1);
  console.log(
    `${title}: ${counted.length - failed.length} of ${counted.length} tests that pass with the SDK pass here (${share} %)`,
  );
  console.log(
    `${better.length} of the others expect a failure of the SDK, which does not happen here`,
  );
  return unexplained.length + stale.length;
}

let problems = 0;
for (const name of chosen.length > 0 ? chosen : Object.keys(suites))
  problems += await compare(name, suites[name]);
process.exitCode = problems > 0 ? 1 : 0;
