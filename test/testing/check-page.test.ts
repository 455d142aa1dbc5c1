import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CheckId, CHECKS, requirementOf, revisionsOf } from "@mcp-codegen/testing/checks";
import { revisions } from "@mcp-codegen/universal/revisions";
import { format } from "prettier";
import { expect, it } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { root } from "../support/pack.js";
import { REQUIREMENTS } from "./support/check-requirements.js";

const page = join(root, "runtime/docs/checks.md");
const ids = Object.keys(CHECKS) as CheckId[];
const sessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");

function revisionText(id: CheckId): string {
  const found = revisionsOf(id);
  if (found.length === revisions.length) return "all";
  if (found.join() === sessions.map((one) => one.id).join()) return "all with sessions";
  return found.length > 1 ? `${found.at(-1)} to ${found[0]}` : found.join();
}

/** The page, as the table of checks makes it: UPDATE_CHECKS=1 writes it. */
async function pageOf(): Promise<string> {
  const rows = ids.map((id) => {
    const { severity, sentence, advice } = CHECKS[id];
    const text = advice === undefined ? sentence : `${sentence} ${advice}`;
    return `| \`${id}\` | ${severity} | ${text} | ${revisionText(id)} |`;
  });
  const text = `# Checks

What [\`check-tape\`](tape.md#check) looks at. An error breaks a requirement of the specification, a warning a recommendation, and a hint is advice that no
specification states. Each finding has the URL of the page of the specification.

| Check | Severity | Requirement | Revisions |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
  return format(text, { parser: "markdown", printWidth: 100 });
}

it("the page of checks is that of the table", async () => {
  const expected = await pageOf();
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
