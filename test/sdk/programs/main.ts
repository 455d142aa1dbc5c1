import { ranking } from "./ranking.js";
import { survey, type Verdict } from "./survey.js";
import { repository } from "./workspace.js";

if (repository === undefined) {
  console.error("Set MCP_SDK_REPOSITORY to a clone of the official SDK's repository.");
  process.exit(2);
}
const found = survey(repository);
const right = (those: readonly Verdict[]) => those.filter(({ errors }) => errors.length === 0);
const sum = (those: readonly Verdict[]) => `${right(those).length} of ${those.length}`;

console.log(`# Programs of the official SDK, imports changed\n`);
console.log(`Programs that compile: ${sum(found.programs)}; snippets: ${sum(found.snippets)}.\n`);
console.log("## What breaks most\n");
console.log(
  "| Programs | alone | Snippets | Reason | First place |\n| --: | --: | --: | --- | --- |",
);
for (const { text, programs, snippets, alone, example } of ranking(found))
  console.log(
    `| ${programs} | ${alone} | ${snippets} | ${text.replaceAll("|", "\\|")} | ${example} |`,
  );
for (const [title, those] of [
  ["Programs", found.programs],
  ["Snippets", found.snippets],
] as const) {
  console.log(`\n## ${title} that do not compile\n`);
  for (const { name, errors } of those)
    if (errors.length > 0)
      console.log(
        `- ${name} (${errors.length}): ${errors[0]!.line}: ${errors[0]!.text.slice(0, 200)}`,
      );
  console.log(
    `\n## ${title} that compile\n\n${right(those)
      .map(({ name }) => name)
      .join(", ")}`,
  );
}
console.log(`\n## Not counted\n\n${found.uncounted.map((line) => `- ${line}`).join("\n")}`);
