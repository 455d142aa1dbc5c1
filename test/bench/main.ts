import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { endChildrenAtExit } from "./core/children.js";
import { type Command, commandOf, usage, UsageError } from "./core/command-line.js";
import { buildPackages, installContestants } from "./core/prepare.js";
import { type Outcome, outcomeOf } from "./core/run.js";
import { machine } from "./report/machine.js";
import { tally, targetsOf } from "./report/page.js";
import { section as printed } from "./report/console.js";
import { checkReadme, pretty, prettyJson, writeReport } from "./report/write.js";
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

/** What would otherwise fail after everything is measured. */
function checked(command: Command): Command {
  const folder = dirname(resolve(command.json ?? ""));
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}`);
  if (command.isReport) checkReadme();
  return command;
}

async function run(command: Command): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const section of sections.filter(({ id }) => command.sections.includes(id))) {
    console.error(`${section.title} …`);
    const outcome = await outcomeOf(section, command.depth);
    console.log(await pretty(printed(outcome)));
    outcomes.push(outcome);
  }
  return outcomes;
}

const command = commandOrExit();
endChildrenAtExit();
if (command.prepares) {
  installContestants();
  buildPackages();
}
const outcomes = await run(command);
const report = { machine: machine(), depth: command.depth, outcomes };
if (command.json !== undefined) writeFileSync(command.json, await prettyJson(report));
if (command.isReport) await writeReport(report);
console.log(tally(targetsOf(outcomes)));
// Slow figures are no failure, a section without a result is.
process.exit(outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0);
