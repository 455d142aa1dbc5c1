import type { Finding, Severity } from "../checks/index.js";

export interface RevisionSummary {
  readonly revision: string;
  readonly errors: number;
  readonly warnings: number;
  readonly hints: number;
}

export function summaryOf(findings: readonly Finding[]): readonly RevisionSummary[] {
  const revisions = new Set(findings.map(({ revision = "unknown" }) => revision));
  return [...revisions].map((revision) => {
    const number = (severity: Severity): number =>
      findings.filter(
        (one) => one.severity === severity && (one.revision ?? "unknown") === revision,
      ).length;
    return {
      revision,
      errors: number("error"),
      warnings: number("warning"),
      hints: number("hint"),
    };
  });
}

export function failsAt(
  findings: readonly Pick<Finding, "severity">[],
  limit: string | undefined,
): boolean {
  return findings.some(
    ({ severity }) => severity === "error" || (limit === "warning" && severity === "warning"),
  );
}

export function placeOf({ n, from, pointer }: Finding): string {
  const line = n === undefined ? "" : `line ${n}, `;
  return `${line}${from}${pointer === "" ? "" : `, ${pointer}`}`;
}
