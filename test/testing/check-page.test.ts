import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CHECK_GROUPS,
  type CheckId,
  CHECKS,
  requirementOf,
  revisionsOf,
  severityOf,
} from "@mcp-codegen/testing/checks";
import { revisions } from "@mcp-codegen/universal/revisions";
import { format } from "prettier";
import { expect, it } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { root } from "../support/pack.js";
import { REQUIREMENTS } from "./support/check-requirements.js";
import { NOT_EXAMINED, OBSERVABLE } from "./support/not-examined.js";

const ids = Object.keys(CHECKS) as CheckId[];
const sessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");

function revisionText(id: CheckId): string {
  const found = revisionsOf(id);
  if (found.length === revisions.length) return "all";
  if (found.join() === sessions.map((one) => one.id).join()) return "all with sessions";
  return found.length > 1 ? `${found.at(-1)} to ${found[0]}` : found.join();
}

/** Returns the severity, and the revisions at which it differs. */
function severityText(id: CheckId): string {
  const { severity, demands } = CHECKS[id];
  const strict = revisions.filter((one) => demands?.(one)).map((one) => one.id);
  if (strict.length === 0) return severity;
  const range = strict.length > 1 ? `${strict.at(-1)} to ${strict[0]}` : strict[0];
  return `${severity}; error in ${range}`;
}

/** Returns the reasons why findings are warnings although the specification demands what a check verifies. */
function lenienciesOf(group: readonly CheckId[]): string {
  return group
    .filter((id) => CHECKS[id].leniency !== undefined)
    .map((id) => `- \`${id}\`: ${CHECKS[id].leniency}`)
    .join("\n");
}

function tableOf(group: readonly CheckId[]): string {
  const rows = group.map((id) => {
    const { sentence, advice } = CHECKS[id];
    const text = advice === undefined ? sentence : `${sentence} ${advice}`;
    return `| \`${id}\` | ${severityText(id)} | ${text} | ${revisionText(id)} |`;
  });
  return `| Check | Severity | Requirement | Revisions |
| --- | --- | --- | --- |
${rows.join("\n")}`;
}

const { messages, servers, clients } = CHECK_GROUPS;

/** The pages, as the table of checks generates them; UPDATE_CHECKS=1 writes them. */
const pages = {
  "checks.md": `# Checks

What [\`check-tape\`](tape.md#check) looks at, and [the doctor](doctor.md) in all that it receives. The doctor alone has more checks: those
of [servers](doctor-checks.md) and of [clients](client-checks.md). An error breaks a requirement of the specification, a warning a recommendation, and a hint is advice that no specification states. Each
finding has the URL of the page of the specification.

${tableOf(messages)}

These are warnings although the specification demands what they verify:

${lenienciesOf(messages)}
`,
  "doctor-checks.md": `# Server checks

What [the doctor of servers](doctor.md) finds out by what it sends, in addition to [the checks of messages](checks.md).

${tableOf(servers)}

These are warnings although the specification demands what they verify:

${lenienciesOf(servers)}
`,
  "client-checks.md": `# Client checks

What [the doctor of clients](client-doctor.md) finds out by what it sends, in addition to [the checks of messages](checks.md).

${tableOf(clients)}

These are warnings although the specification demands what they verify:

${lenienciesOf(clients)}
`,
};

it.each(Object.entries(pages))("%s is that of the table", async (name, text) => {
  const page = join(root, "runtime/docs", name);
  const expected = await format(text, { parser: "markdown", printWidth: 100 });
  if (process.env["UPDATE_CHECKS"]) writeFileSync(page, expected);
  expect(readFileSync(page, "utf8")).toBe(expected);
});

it("what a revision demands is an error there, or there is a reason why it is not", () => {
  const levels = new Map(requirements().map((one) => [one.id, one]));
  for (const id of ids) {
    const side = messages.includes(id) ? "" : clients.includes(id) ? "client" : "server";
    const demanded = (REQUIREMENTS[id] ?? []).flatMap((one) => {
      const { level = "", who = "", revisions: at = "" } = levels.get(one) ?? {};
      const isOwn = who === "both sides" || who === "receiver" || who.includes(side);
      return level.startsWith("MUST") && isOwn ? [at] : [];
    });
    const lenient = revisions.filter(
      (one) =>
        revisionsOf(id).includes(one.id) &&
        demanded.some((at) => includes(at, one.id)) &&
        severityOf(id, one) !== "error",
    );
    const isExplained = CHECKS[id].leniency !== undefined;
    expect([id, lenient.length > 0]).toEqual([id, isExplained]);
  }
});

it.each(Object.entries(NOT_EXAMINED))(
  "%s lists in plain words what the doctor does not examine",
  (name, gaps) => {
    const page = readFileSync(join(root, "runtime/docs", name), "utf8");
    const [, section = ""] = page.split("## What is not examined\n");
    const listed = section.split("\n## ")[0]!.match(/^- .+$/gm) ?? [];
    expect(listed).toEqual(Object.keys(gaps).map((words) => `- ${words}`));
  },
);

it("what the pages list as not examined has no check, and all else that a peer observes has one", () => {
  const checked = new Set(Object.values(REQUIREMENTS).flat());
  const gaps = Object.values(NOT_EXAMINED).flatMap((one) => Object.values(one).flat());
  expect(gaps.filter((id) => checked.has(id))).toEqual([]);
  expect(OBSERVABLE.filter((id) => !checked.has(id)).toSorted()).toEqual(gaps.toSorted());
});

/** Returns true if a range such as `from 2025-06-18` includes the revision. */
function includes(range: string, revision: string): boolean {
  if (range.startsWith("all")) return true;
  const [first = "", last = first] = range.match(/\d{4}-\d\d-\d\d/g) ?? [];
  return revision >= first && (range.startsWith("from") || revision <= last);
}

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
