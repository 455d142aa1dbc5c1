import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository, root, workspace } from "../programs/workspace.js";
import { copyBoth } from "../programs/survey.js";
import { writeSection } from "../report/report.js";
import { type Combination, combinations, combine } from "./combinations.js";
import { runLeg } from "./run-leg.js";
import { type Leg, legs } from "./stories.js";

if (repository === undefined) {
  console.error("Set MCP_SDK_REPOSITORY to a clone of the official SDK's repository.");
  process.exit(2);
}
const only = process.argv.find((arg, index) => process.argv[index - 1] === "--only");
const which = process.argv.find((arg, index) => process.argv[index - 1] === "--combination");

copyBoth(repository);
const all = legs(join(workspace, "theirs/examples")).filter(
  ({ story }) => only === undefined || story === only,
);
const nameOf = ({ story, transport, era }: Leg) => `${story} ${transport}/${era}`;
const failures: Record<string, Record<string, string>> = {};
const sums: string[][] = [];
const chosen = combinations.filter(({ name }) => which === undefined || name === which);
for (const combination of chosen) await runAll(combination);

async function runAll(combination: Combination): Promise<void> {
  const folder = await combine(combination);
  const failed: Record<string, string> = {};
  for (const leg of all) {
    const { ok, text } = await runLeg(folder, leg);
    console.log(`${ok ? "pass" : "FAIL"} ${combination.name}: ${nameOf(leg)}`);
    if (!ok) {
      failed[nameOf(leg)] = text;
      console.log(text.split("\n").slice(0, 25).join("\n"));
    }
  }
  failures[combination.name] = failed;
  sums.push([combination.name, `${all.length - Object.keys(failed).length} of ${all.length}`]);
}

console.log(sums.map((sum) => sum.join(": ")).join("\n"));
writeFileSync(join(workspace, "pairs.json"), JSON.stringify(failures, null, 2));

const ledger = JSON.parse(
  readFileSync(join(root, "test/sdk/pairs/ledger.json"), "utf8"),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;
let isStale = false;
for (const { name } of chosen) {
  const [expected, found] = [ledger[name] ?? {}, failures[name]!];
  for (const leg of Object.keys(found))
    if (!(leg in expected))
      isStale = complain(`${name}: ${leg} fails, and the ledger has no reason`);
  for (const leg of Object.keys(expected))
    if (!(leg in found) && (only === undefined || leg.startsWith(`${only} `)))
      isStale = complain(`${name}: ${leg} passes now; remove it from the ledger`);
}
if (only === undefined && which === undefined) report();
process.exitCode = isStale ? 1 : 0;

function complain(line: string): true {
  console.error(line);
  return true;
}

function report(): void {
  const rows = combinations.map(({ name }) => {
    const count = (transport: Leg["transport"]) => {
      const some = all.filter((leg) => leg.transport === transport);
      const right = some.filter((leg) => !(nameOf(leg) in failures[name]!));
      return `${right.length} of ${some.length}`;
    };
    return `| ${name} | ${count("stdio")} | ${count("http")} | ${sums.find(([one]) => one === name)![1]} |`;
  });
  const reasons = Object.entries(ledger).flatMap(([name, entries]) =>
    Object.entries(entries).map(([leg, reason]) => `- ${name}, ${leg}: ${reason}`),
  );
  writeSection("Pairs of client and server that check themselves", [
    "Stories of the SDK's `examples/`, each over its transports, with a client of 2026-07-28 and with one that opens a session.",
    "",
    "| Pair | stdio | HTTP | All |",
    "| --- | --: | --: | --: |",
    ...rows,
    ...(reasons.length > 0 ? ["", "Those that fail:", "", ...reasons] : []),
  ]);
}
