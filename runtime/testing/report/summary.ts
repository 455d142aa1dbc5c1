import type { Finding, Severity } from "../checks/index.js";

/** Numbers of findings for one revision. */
export interface RevisionSummary {
  readonly revision: string;
  readonly errors: number;
  readonly warnings: number;
  readonly hints: number;
}

/** Returns the numbers of findings per revision, in the order in which the revisions occur. */
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

/** True if at least one finding is an error or, if the limit is `warning`, a warning. */
export function failsAt(
  findings: readonly Pick<Finding, "severity">[],
  limit: string | undefined,
): boolean {
  return findings.some(
    ({ severity }) => severity === "error" || (limit === "warning" && severity === "warning"),
  );
}

/** Describes the place of a finding: `line 5, server, /result/tools/0/name`. */
export function placeOf({ n, from, pointer }: Finding): string {
  const line = n === undefined ? "" : `line ${n}, `;
  return `${line}${from}${pointer === "" ? "" : `, ${pointer}`}`;
}
