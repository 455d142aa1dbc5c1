import { CHECKS, type Check } from "../checks/index.js";
import { CLIENT_CHECKS } from "../doctor/client-checks.js";
import type { DoctorFinding } from "../doctor/findings.js";
import { SERVER_CHECKS } from "../doctor/server-checks.js";

const ALL: Readonly<Record<string, Check>> = { ...CHECKS, ...SERVER_CHECKS, ...CLIENT_CHECKS };

/** Check with an id. */
export function checkOf(id: string): Check | undefined {
  return ALL[id];
}

const LEVELS = { error: "error", warning: "warning", hint: "note" } as const;

/** Findings as a document of SARIF 2.1.0, for code scanning. */
export function toSarif(
  findings: readonly DoctorFinding[],
  server: string,
  version: string,
): object {
  const ids = [...new Set(findings.map(({ id }) => id))].toSorted();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "mcp-codegen",
            version,
            informationUri: "https://github.com/mcp-codegen/mcp-codegen",
            rules: ids.map((id) =>
              ruleOf(
                id,
                findings.find((one) => one.id === id)!,
              ),
            ),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.id,
          ruleIndex: ids.indexOf(finding.id),
          level: LEVELS[finding.severity],
          message: { text: sentenceOf(finding) },
          locations: [
            {
              logicalLocations: [
                {
                  fullyQualifiedName: [server, finding.subject, finding.pointer]
                    .filter(Boolean)
                    .join(" "),
                },
              ],
            },
          ],
          properties: { revisions: finding.revisions, times: finding.times },
        })),
      },
    ],
  };
}

function ruleOf(id: string, { severity, requirement }: DoctorFinding): object {
  const { sentence = id, advice } = checkOf(id) ?? {};
  return {
    id,
    shortDescription: { text: sentence },
    ...(advice !== undefined && { help: { text: advice } }),
    ...(requirement !== undefined && { helpUri: requirement }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

/** A finding as one sentence. */
export function sentenceOf({ subject, pointer, expected, received, times }: DoctorFinding): string {
  const place = [subject, pointer].filter(Boolean).join(" ");
  const often = times > 1 ? ` (${times} times)` : "";
  return `${place === "" ? "" : `${place}: `}expected ${expected}, received ${received}${often}`;
}

/** One test of a JUnit report. */
export interface JUnitCase {
  readonly group: string;
  readonly name: string;
  /** Texts of what failed; empty if the test passed. */
  readonly failures: readonly string[];
  readonly skipped?: boolean;
}

/** Cases as JUnit XML. */
export function toJUnit(suite: string, cases: readonly JUnitCase[]): string {
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const rows = cases.map(({ group, name, failures, skipped }) => {
    const start = `    <testcase classname="${xml(group)}" name="${xml(name)}"`;
    if (skipped) return `${start}><skipped/></testcase>`;
    if (failures.length === 0) return `${start}/>`;
    const [first] = failures;
    const text = xml(failures.join("\n"));
    return `${start}><failure message="${xml(first!)}">${text}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failed}">`,
    `  <testsuite name="${xml(suite)}" tests="${cases.length}" failures="${failed}">`,
    ...rows,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text for XML, without characters that XML cannot have. */
function xml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}
