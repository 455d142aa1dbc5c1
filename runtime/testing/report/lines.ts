import { count, paint, type Text } from "mcp-codegen/cli";
import { type CheckId, CHECKS, type Finding } from "../checks/index.js";
import { placeOf, summaryOf } from "./summary.js";

const STYLES = { error: "red", warning: "yellow", hint: "dim" } as const;

/** Findings for people: place, what was expected, and the requirement. Advice is shown once for each check. */
export function findingLines(findings: readonly Finding[]): readonly Text[] {
  const advised = new Set<string>();
  return findings.flatMap((finding) => {
    const { id, severity, expected, received, requirement } = finding;
    const check = CHECKS[id as CheckId] as (typeof CHECKS)[CheckId] | undefined;
    const lines: Text[] = [
      [paint(STYLES[severity], severity), ` ${id}: ${placeOf(finding)}`],
      `  expected ${expected}`,
      `  received ${received}`,
    ];
    if (advised.has(id)) return lines;
    advised.add(id);
    if (check) lines.push(paint("dim", `  ${check.sentence}`));
    if (check?.advice !== undefined) lines.push(paint("dim", `  ${check.advice}`));
    if (requirement !== undefined) lines.push(paint("dim", `  ${requirement}`));
    return lines;
  });
}

/** One line for each revision: `2025-11-25: 2 errors, 1 warning`. */
export function summaryLine(findings: readonly Finding[]): string {
  if (findings.length === 0) return "No findings.";
  return summaryOf(findings)
    .map(({ revision, errors, warnings, hints }) => {
      const parts = [
        errors > 0 ? count(errors, "error") : undefined,
        warnings > 0 ? count(warnings, "warning") : undefined,
        hints > 0 ? count(hints, "hint") : undefined,
      ];
      return `${revision}: ${parts.filter((part) => part !== undefined).join(", ")}`;
    })
    .join("\n");
}
