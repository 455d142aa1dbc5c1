import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CHECK_GROUPS,
  type CheckId,
  CHECKS,
  requirementOf,
  revisionsOf,
} from "@mcp-codegen/testing/checks";
import { revisions } from "@mcp-codegen/universal/revisions";
import { format } from "prettier";
import { expect, it } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { root } from "../support/pack.js";
import { REQUIREMENTS } from "./support/check-requirements.js";

const ids = Object.keys(CHECKS) as CheckId[];
const sessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");

function revisionText(id: CheckId): string {
  const found = revisionsOf(id);
  if (found.length === revisions.length) return "all";
  if (found.join() === sessions.map((one) => one.id).join()) return "all with sessions";
  return found.length > 1 ? `${found.at(-1)} to ${found[0]}` : found.join();
}

function tableOf(group: readonly CheckId[]): string {
  const rows = group.map((id) => {
    const { severity, sentence, advice } = CHECKS[id];
    const text = advice === undefined ? sentence : `${sentence} ${advice}`;
    return `| \`${id}\` | ${severity} | ${text} | ${revisionText(id)} |`;
  });
  return `| Check | Severity | Requirement | Revisions |
| --- | --- | --- | --- |
${rows.join("\n")}`;
}

const { messages, servers, clients } = CHECK_GROUPS;

/** Pages, as the table of checks makes them: UPDATE_CHECKS=1 writes them. */
const pages = {
  "checks.md": `# Checks

What [\`check-tape\`](tape.md#check) looks at, and [the doctor](doctor.md) in all that it receives; [more checks](doctor-checks.md) are those of the
doctor alone. An error breaks a requirement of the specification, a warning a recommendation, and a hint is advice that no specification states. Each
finding has the URL of the page of the specification.

${tableOf(messages)}
`,
  "doctor-checks.md": `# Checks of the doctor

What the doctor finds out by what it sends, in addition to [the checks of messages](checks.md).

## Servers

${tableOf(servers)}

## Clients

${tableOf(clients)}
`,
};

it.each(Object.entries(pages))("%s is that of the table", async (name, text) => {
  const page = join(root, "runtime/docs", name);
  const expected = await format(text, { parser: "markdown", printWidth: 100 });
  if (process.env["UPDATE_CHECKS"]) writeFileSync(page, expected);
  expect(readFileSync(page, "utf8")).toBe(expected);
});

it("each check but the hints has a requirement that is defined, and a page of the specification", () => {
  const defined = new Set(requirements().map(({ id }) => id));
  for (const id of ids) {
    const isHint = CHECKS[id].severity === "hint";
    const cited = REQUIREMENTS[id] ?? [];
    expect([id, cited.length > 0]).toEqual([id, !isHint]);
    expect([id, cited.filter((one) => !defined.has(one))]).toEqual([id, []]);
    expect([id, revisionsOf(id).length > 0]).toEqual([id, true]);
    for (const revision of revisions.filter((one) => revisionsOf(id).includes(one.id))) {
      expect([id, requirementOf(id, revision) !== undefined]).toEqual([id, !isHint]);
    }
  }
});
