import type { Finding } from "../checks/index.js";
import type { DoctorFinding } from "../doctor/findings.js";
import { placeOf } from "./summary.js";

/** Finding, as all reports show it. */
export interface Entry extends Pick<
  Finding,
  "id" | "severity" | "from" | "pointer" | "expected" | "received" | "requirement"
> {
  /** Place in words: the message and the pointer. */
  readonly place: string;
  readonly revisions: readonly string[];
  readonly times: number;
  /** Line of the file that the finding is in, counted from 1. */
  readonly line?: number;
}

/** Entry for a finding in a tape. The head is the first line of the file. */
export function entryOfTape(finding: Finding): Entry {
  const { revision, n = 0 } = finding;
  const revisions = revision === undefined ? [] : [revision];
  return { ...finding, place: placeOf(finding), revisions, times: 1, line: n + 1 };
}

/** Entry for a finding of the doctor. */
export function entryOfDoctor(finding: DoctorFinding): Entry {
  const place = [finding.subject, finding.pointer].filter(Boolean).join(" ");
  return { ...finding, place };
}

/** An entry as one sentence. */
export function sentenceOf({ place, expected, received, times }: Entry): string {
  const often = times > 1 ? ` (${times} times)` : "";
  return `${place === "" ? "" : `${place}: `}expected ${expected}, received ${received}${often}`;
}
