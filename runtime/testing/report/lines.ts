import { count, paint, type Text } from "mcp-codegen/cli";
import { checkOf, type Finding } from "../checks/index.js";
import type { Entry } from "./entries.js";
import { summaryOf } from "./summary.js";

const STYLES = { error: "red", warning: "yellow", hint: "dim" } as const;

export function entryLines(entries: readonly Entry[]): readonly Text[] {
  const shown = new Set<string>();
  return entries.flatMap((entry) => {
    const { id, severity, place, expected, received, requirement, times } = entry;
    const { sentence, advice } = checkOf(id) ?? {};
    const often = times > 1 ? `, ${times} times` : "";
    const lines: Text[] = [
      [paint(STYLES[severity], severity), ` ${id}${place === "" ? "" : `: ${place}`}`],
      `  expected ${expected}`,
      `  received ${received}${often}`,
    ];
    if (shown.has(id)) return [...lines, ""];
    shown.add(id);
    const more = [sentence, advice, requirement].filter((text) => text !== undefined);
    return [...lines, ...more.map((text) => paint("dim", `  ${text}`)), ""];
  });
}

/** The number of checks that were run at a revision, and of their findings. */
export interface Examined {
  readonly revision: string;
  readonly checks: number;
  readonly errors: number;
  readonly warnings: number;
}

export function examinedAt(
  revision: string,
  checks: readonly string[],
  findings: readonly Pick<Finding, "severity">[],
): Examined {
  const number = (severity: string): number =>
    findings.filter((one) => one.severity === severity).length;
  return {
    revision,
    checks: checks.length,
    errors: number("error"),
    warnings: number("warning"),
  };
}

/** Returns a line such as `2025-11-25: 110 checks, 0 errors`. */
export function examinedLine({ revision, checks, errors, warnings }: Examined): string {
  const warned = warnings > 0 ? `, ${count(warnings, "warning")}` : "";
  return `${revision}: ${count(checks, "check")}, ${count(errors, "error")}${warned}`;
}

/** Returns one line per revision: `2025-11-25: 2 errors, 1 warning`. */
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
