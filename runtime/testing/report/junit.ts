import type { Finding } from "../checks/index.js";
import { placeOf } from "./summary.js";

/**
 * Findings as a JUnit report: a failure for each error, and for each warning if `failOn` includes them. A report without findings
 * has one test case that passes.
 *
 * @param name - name of the suite: the tape, or the server
 */
export function junitOf(findings: readonly Finding[], name: string, failOn: string): string {
  const isFailure = ({ severity }: Finding): boolean =>
    severity === "error" || (failOn === "warning" && severity === "warning");
  const cases = findings.map((finding) => {
    const title = attribute(`${finding.id}: ${placeOf(finding)}`);
    const text = `expected ${finding.expected}, received ${finding.received}`;
    const body = isFailure(finding)
      ? `<failure message="${attribute(text)}" type="${finding.severity}">${escape(finding.requirement ?? text)}</failure>`
      : `<system-out>${escape(text)}</system-out>`;
    return `    <testcase classname="${attribute(finding.revision ?? "mcp")}" name="${title}">${body}</testcase>`;
  });
  if (cases.length === 0) cases.push(`    <testcase classname="mcp" name="no findings"/>`);
  const failures = findings.filter(isFailure).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failures}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function attribute(text: string): string {
  return escape(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}

/** Text for XML, without characters that XML does not allow. */
function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
