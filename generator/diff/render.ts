import { diffSections, type Entry } from "./diff-sections.js";
import type { ProtocolDiff } from "./protocol-diff.js";
import { groupedChanges, sideText } from "./impact/grouped-changes.js";
import type { ProtocolChange } from "./impact/protocol-change.js";

export function renderText(diff: ProtocolDiff): string {
  const sections = diffSections(diff).map(
    ({ title, entries }) => `\n${title}\n${entries.map(line).join("")}`,
  );
  const body = sections.length > 0 ? sections.join("") : "\nNo differences.\n";
  return `${diff.from} → ${diff.to}\n${body}`;
}

function line({ mark, subjects, detail }: Entry): string {
  return `  ${mark} ${subjects.join(", ")}${detail ? `: ${detail}` : ""}\n`;
}

export function renderJson(diff: ProtocolDiff): string {
  return `${JSON.stringify(diff, null, 2)}\n`;
}

const MARKS = { "+": "added", "-": "removed", "~": "changed" } as const;

export function renderMarkdown(
  diff: ProtocolDiff,
  changes: readonly ProtocolChange[] = [],
): string {
  const sections = diffSections(diff).map(
    ({ title, entries }) =>
      `\n## ${title}\n\n| | What | How |\n| --- | --- | --- |\n${entries.map(row).join("")}`,
  );
  const body = sections.length > 0 ? sections.join("") : "\nNo differences.\n";
  return `# From ${diff.from} to ${diff.to}\n${body}${impactTable(changes)}`;
}

function impactTable(changes: readonly ProtocolChange[]): string {
  if (changes.length === 0) return "";
  const rows = groupedChanges(changes).map((group) => {
    const { class: kind, names, pointer, message } = group;
    const place = pointer === "" ? "" : ` at ${code(pointer)}`;
    return `| ${kind} | ${sideText(group)} | ${names.map(code).join(", ")}${place} | ${code(message)} |\n`;
  });
  return `\n## Changes by class\n\n| Class | Who has to change | Where | What |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}

function row({ mark, subjects, detail }: Entry): string {
  const cells = [MARKS[mark], subjects.map(code).join(", "), detail ? code(detail) : ""];
  return `| ${cells.join(" | ")} |\n`;
}

/**
 * Returns a code span that its content cannot terminate. In a table, vertical bars must be escaped even inside a
 * code span.
 */
function code(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  const pad = runs.length > 0 ? " " : "";
  return `${fence}${pad}${text.replaceAll("|", "\\|").replaceAll("\n", " ")}${pad}${fence}`;
}
