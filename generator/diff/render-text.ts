import { diffSections, type Entry } from "./diff-sections.js";
import type { ProtocolDiff } from "./protocol-diff.js";

/** A diff for a terminal, without colours. */
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
