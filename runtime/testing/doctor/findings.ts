import { createJudge, type Finding, type Severity } from "../checks/index.js";
import { isMembers } from "./conversation.js";
import type { TapeLine } from "../tape/index.js";

/** Finding of an examination: the same fault at several revisions is one. */
export interface DoctorFinding extends Omit<Finding, "revision"> {
  /** Request whose response it is in, or message: `tools/call of echo`. */
  readonly subject: string | undefined;
  /** Ids of the revisions at which it was found. */
  readonly revisions: readonly string[];
  /** Number of times that it was found, with any value. */
  readonly times: number;
}

/** Checks that say that a response is missing, which another finding explains. */
const SILENCE = "request-unanswered";
const EXPLAINS_SILENCE = [
  "request-silent",
  "server-ended",
  "server-flood",
  "opening-answered",
  "client-silent",
  "client-ended",
  "client-ping",
  "client-capability",
];

/**
 * Judges the recorded messages of one side, adds what active checks have found, and leaves out what merely follows from
 * another finding.
 *
 * @param active - findings of active checks
 */
export function concludeFindings(
  lines: readonly TapeLine[],
  active: readonly Finding[],
  { from, hints }: { readonly from: "client" | "server"; readonly hints: boolean },
): readonly DoctorFinding[] {
  const judge = createJudge({ hints });
  const judged = [...lines.flatMap((line) => judge.add(line)), ...judge.end()].filter(
    ({ from: sender }) => sender === from,
  );
  const explained = new Set(
    active
      .filter(({ id }) => EXPLAINS_SILENCE.includes(id))
      .map(({ conversation }) => conversation),
  );
  const own = active.filter(
    (finding) =>
      (hints || finding.severity !== "hint") && !judged.some((other) => follows(finding, other)),
  );
  const disordered = conversationsOf(judged, "opening-order");
  const repeated = new Set(judged.filter(({ id }) => id === "cursor-repeated").map(({ n }) => n));
  const others = judged.filter(
    ({ id, conversation, n }) =>
      (id !== SILENCE || !explained.has(conversation)) &&
      (id !== "name-repeated" || !repeated.has(n)) &&
      (id !== "opening-repeated" || !disordered.has(conversation)),
  );
  return merged([...others, ...own], subjectsOf(lines)).toSorted(inOrder);
}

function conversationsOf(findings: readonly Finding[], id: string): ReadonlySet<number> {
  return new Set(findings.filter((one) => one.id === id).map(({ conversation }) => conversation));
}

/** True if a finding of an active check is about the same place as one of the judge. */
function follows(finding: Finding, judged: Finding): boolean {
  if (finding.n === undefined || finding.n !== judged.n || judged.severity === "hint") return false;
  const [one, other] = [`${finding.pointer}/`, `${judged.pointer}/`];
  return one.startsWith(other) || other.startsWith(one);
}

/** Requests and messages in words, by the number of the line that they are about. */
function subjectsOf(lines: readonly TapeLine[]): ReadonlyMap<number, string> {
  const subjects = new Map<number, string>();
  const requests = new Map<string, string>();
  for (const { n, from, conversation, message } of lines) {
    if (!isMembers(message)) continue;
    const { method, id, params } = message;
    const other = from === "client" ? "server" : "client";
    const { name, uri } = isMembers(params) ? params : {};
    const item = name ?? uri;
    const subject =
      typeof method === "string"
        ? `${method}${typeof item === "string" ? ` of ${item.slice(0, 80)}` : ""}`
        : requests.get(`${conversation} ${other} ${String(id)}`);
    if (subject === undefined) continue;
    subjects.set(n, subject);
    if (id !== undefined && method !== undefined) {
      requests.set(`${conversation} ${from} ${String(id)}`, subject);
    }
  }
  return subjects;
}

function merged(
  findings: readonly Finding[],
  subjects: ReadonlyMap<number, string>,
): readonly DoctorFinding[] {
  const byPlace = new Map<string, { finding: Finding; revisions: Set<string>; times: number }>();
  for (const finding of findings) {
    const { id, pointer, expected, revision, n, severity } = finding;
    // A capability that is not declared is one fault, whatever needs it.
    const subject = id === "capability-unlisted" ? expected : n && subjects.get(n);
    // Advice is given once for each list.
    const key = [id, severity === "hint" ? "" : pointer, subject].join("\n");
    const entry = byPlace.get(key) ?? { finding, revisions: new Set<string>(), times: 0 };
    if (revision !== undefined) entry.revisions.add(revision);
    entry.times++;
    byPlace.set(key, entry);
  }
  return [...byPlace.values()].map(({ finding, revisions, times }) => {
    const { revision: _, ...others } = finding;
    const subject = finding.n === undefined ? undefined : subjects.get(finding.n);
    return { ...others, subject, revisions: [...revisions].toSorted().toReversed(), times };
  });
}

const SEVERITIES: readonly Severity[] = ["error", "warning", "hint"];

/** Errors first; then by the line of the conversation. */
function inOrder(one: DoctorFinding, other: DoctorFinding): number {
  const order = SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  return order || (one.n ?? Infinity) - (other.n ?? Infinity) || (one.id < other.id ? -1 : 1);
}
