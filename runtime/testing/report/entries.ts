import type { Finding } from "../checks/index.js";
import type { DoctorFinding } from "../doctor/findings.js";
import { placeOf } from "./summary.js";

export interface Entry extends Pick<
  Finding,
  "id" | "severity" | "from" | "pointer" | "expected" | "received" | "requirement"
> {
  readonly place: string;
  readonly revisions: readonly string[];
  readonly times: number;
  /** The line number in the tape file, starting at 1; absent for the doctor's findings. */
  readonly line?: number;
}

/**
 * Returns the entry for a finding in a tape. Its line number is one higher, because the file begins with a header line.
 */
export function entryOfTape(finding: Finding): Entry {
  const { revision, n = 0 } = finding;
  const revisions = revision === undefined ? [] : [revision];
  return { ...finding, place: placeOf(finding), revisions, times: 1, line: n + 1 };
}

export function entryOfDoctor(finding: DoctorFinding): Entry {
  const place = [finding.subject, finding.pointer].filter(Boolean).join(" ");
  return { ...finding, place };
}

export function sentenceOf({ place, expected, received, times }: Entry): string {
  const often = times > 1 ? ` (${times} times)` : "";
  return `${place === "" ? "" : `${place}: `}expected ${expected}, received ${received}${often}`;
}
