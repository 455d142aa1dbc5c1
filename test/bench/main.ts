import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, commandOf, usage, UsageError } from "./core/command-line.js";
import { root } from "./core/places.js";
import { installContestants } from "./core/prepare.js";
import { endChildrenAtExit } from "./core/program.js";
import type { Effort, Section } from "./core/section.js";
import { goalsBeside } from "./goals.js";
import { machine } from "./report/machine.js";
import { chapter, completed, type Outcome, tablesOf } from "./report/page.js";
import { goalTable } from "./report/tables.js";
import {
  checkReadme,
  lastOutcomes,
  lastTables,
  pretty,
  prettyJson,
  writeReport,
} from "./report/write.js";
import { sections } from "./sections/index.js";

const known = sections.map(({ id }) => id);

function commandOrExit(): Command {
  try {
    const command = commandOf(process.argv.slice(2), known);
    if (command !== undefined) return checked(command);
    console.log(usage(known));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage(known)}`);
    process.exit(2);
  }
}

/** Detects early those problems that would otherwise appear only after everything has been measured. */
function checked(command: Command): Command {
  const folder = dirname(resolve(command.json ?? ""));
  if (!existsSync(folder)) throw new UsageError(`Folder not found: ${folder}`);
  if (command.isReport) checkReadme();
  return command;
}

/** Runs a section until it succeeds or fails. */
async function outcomeOf({ id, title, about, run }: Section, effort: Effort): Promise<Outcome> {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 100) / 10;
  try {
    const result = await run(effort);
    return { id, title, about, seconds: seconds(), result };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, title, about, seconds: seconds(), failure: reason.replaceAll(root, "") };
  }
}

/** Returns the line for a smoke run. @throws Error for a cell that is not a figure */
function smokeLine({ title, seconds, result, failure }: Outcome): string {
  if (failure !== undefined) return `${title}: ${failure}`;
  const cells = result!.tables.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const values = cells.flatMap((cell) => cell ?? []);
  if (!values.every(Number.isFinite)) throw new Error(`${title} has a figure that is no number`);
  return `${title}: ${values.length} figures in ${seconds} s`;
}

const command = commandOrExit();
const { effort } = command;
endChildrenAtExit();
installContestants();
const outcomes: Outcome[] = [];
for (const section of sections.filter(({ id }) => command.sections.includes(id))) {
  console.error(`${section.title} …`);
  const outcome = await outcomeOf(section, effort);
  console.log(effort.isSmoke ? smokeLine(outcome) : await pretty(chapter(outcome)));
  outcomes.push(outcome);
}
const report = { machine: machine(), rounds: effort.rounds, outcomes };
if (!effort.isSmoke) {
  const tables = tablesOf(outcomes);
  console.log(await pretty(goalTable(goalsBeside(lastTables()), tables)));
}
if (command.json !== undefined) writeFileSync(command.json, await prettyJson(report));
if (command.isReport) {
  await writeReport({ ...report, outcomes: completed(outcomes, lastOutcomes(), known) });
}
// A missed goal is not a failure, but a section without a result is.
process.exit(outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0);
