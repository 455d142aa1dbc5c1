import { type CheckId, CHECKS, type Finding } from "../checks/index.js";
import { placeOf } from "./summary.js";

const LEVELS = { error: "error", warning: "warning", hint: "note" } as const;

/**
 * Findings as a SARIF 2.1.0 log. The rules are those of the table of checks.
 *
 * @param file - path of the tape; undefined without one
 * @param version - version of the tool
 */
export function sarifOf(
  findings: readonly Finding[],
  file: string | undefined,
  version: string,
): Readonly<Record<string, unknown>> {
  const ids = [...new Set(findings.map(({ id }) => id))].toSorted();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "mcp-codegen", version, rules: ids.map(ruleOf) } },
        results: findings.map((finding) => resultOf(finding, file)),
      },
    ],
  };
}

function ruleOf(id: string): Readonly<Record<string, unknown>> {
  const check = CHECKS[id as CheckId] as (typeof CHECKS)[CheckId] | undefined;
  return {
    id,
    ...(check && {
      shortDescription: { text: check.sentence },
      ...(check.advice !== undefined && { help: { text: check.advice } }),
      defaultConfiguration: { level: LEVELS[check.severity] },
    }),
  };
}

function resultOf(finding: Finding, file: string | undefined): Readonly<Record<string, unknown>> {
  const { id, n, severity, expected, received, requirement, revision, pointer, from } = finding;
  return {
    ruleId: id,
    level: LEVELS[severity],
    message: { text: `${placeOf(finding)}: expected ${expected}, received ${received}` },
    locations: [
      {
        ...(file !== undefined && {
          physicalLocation: {
            artifactLocation: {
              uri: file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/"),
            },
            // The head is the first line of the file.
            region: { startLine: (n ?? 0) + 1 },
          },
        }),
        logicalLocations: [{ fullyQualifiedName: `${from}${pointer}` }],
      },
    ],
    partialFingerprints: { "finding/v1": `${id}/${from}${pointer}` },
    properties: { revision, ...(requirement !== undefined && { requirement }) },
  };
}
