import { createJudge, type Finding, type Severity } from "../checks/index.js";
import type { TapeLine } from "../tape/index.js";
import { isMembers } from "../tape/json-value.js";
import { isResponse, otherSide } from "../checks/conversation.js";

/** A finding from an examination. If the same fault occurs in several revisions, it is one finding. */
export interface DoctorFinding extends Omit<Finding, "revision"> {
  /** The request or message that the finding is about, such as `tools/call of echo`. */
  readonly subject: string | undefined;
  /** The ids of the revisions in which the fault was found. */
  readonly revisions: readonly string[];
  /** The number of times that the fault was found, regardless of the values received. */
  readonly times: number;
}

/**
 * The required proximity of a finding to its cause: on the same line or about the same subject, in the same
 * conversation, or anywhere in the examination.
 */
type Where = "line" | "conversation" | "tape";

const SILENCE = "request-unanswered";
const EXPLAIN_SILENCE = [
  "request-silent",
  "server-ended",
  "server-flood",
  "opening-answered",
  "http-unusable",
  "http-status",
  "list-unserved",
  "batch-answered",
  "cancel-tolerated",
  "cancel-others",
  "id-accepted",
  "client-silent",
  "client-batch",
  "client-ended",
  "client-id",
  "client-ping",
  "client-capability",
] as const;

/** The client checks that depend on messages in event streams, or on their consequences. */
const NEED_EVENTS = [
  "client-ended",
  "client-batch",
  "client-capability",
  "client-last-page",
  "client-pages",
  "client-ping",
  "client-resume",
  "client-silent",
  "client-undeclared",
] as const;

/**
 * The checks whose findings are omitted as consequences, each with the check that found the cause and how near the
 * cause must be.
 */
const CONSEQUENCES: readonly (readonly [id: string, cause: string, where: Where])[] = [
  ...EXPLAIN_SILENCE.map((cause) => [SILENCE, cause, "conversation"] as const),
  ["opening-repeated", "opening-order", "conversation"],
  ["task-required", "task-created", "line"],
  ["task-forbidden", "task-created", "tape"],
  ["initialized-missing", "message-envelope", "line"],
  ["initialized-missing", "client-version", "conversation"],
  ["http-stream", "http-status", "conversation"],
  ["batch-answered", "http-status", "conversation"],
  ["name-repeated", "cursor-repeated", "line"],
  ["subscription-id", "http-stream", "line"],
  ["http-resume", "http-event-id", "tape"],
  ["http-mismatch", "http-status", "tape"],
  ["message-envelope", "http-status", "line"],
  ["client-opening", "client-media-type", "tape"],
  ...["client-id", "client-ping", "cursor-unknown", SILENCE].map(
    (id) => [id, "client-framing", "tape"] as const,
  ),
  ["client-session-lost", "http-session", "tape"],
  ["client-version", "opening-early", "tape"],
  ["method-unknown", "client-fallback", "line"],
  ["client-undeclared", "capability-undeclared", "tape"],
  ["client-undeclared", "error-shape", "line"],
  ["cursor-unknown", "client-result-type", "conversation"],
  ["http-version", "client-version", "tape"],
  ["client-pages", "cursor-unknown", "tape"],
  ["client-last-page", "cursor-unknown", "tape"],
  [SILENCE, "client-media-type", "tape"],
  ["client-info", "client-named", "conversation"],
  ...NEED_EVENTS.map((id) => [id, "client-media-type", "tape"] as const),
  ["resource-unknown", "capability-unserved", "tape"],
  ["prompt-unknown", "capability-unserved", "tape"],
  ["request-silent", "cancel-tolerated", "tape"],
  ["response-unknown", "output-encoding", "tape"],
  ["ping-answered", "message-envelope", "conversation"],
  ["server-ended", "cancel-tolerated", "conversation"],
  ["error-id", "id-accepted", "tape"],
  ["request-silent", "id-accepted", "tape"],
  // A server that confuses streams also does so after one of them was closed.
  ["cancel-answered", "http-stream", "tape"],
  // Copies on another stream repeat earlier messages.
  ["progress-order", "http-stream", "line"],
  ["progress-late", "http-stream", "line"],
];

/**
 * Checks one side's recorded messages, adds the findings of active checks, and omits findings that merely follow from
 * others.
 *
 * @param active - the findings of active checks
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
  const subjects = subjectsOf(lines);
  const subjectOf: SubjectOf = ({ n }) => (n === undefined ? undefined : subjects.get(n));
  // A finding that follows from an active check's finding cannot be its cause.
  const causes = judged.filter(
    (one) => one.id !== SILENCE && !isConsequence(one, active, subjectOf),
  );
  const own = active.filter(
    (finding) =>
      (hints || finding.severity !== "hint") &&
      !isExplained(finding, causes, lines) &&
      !causes.some((other) => follows(finding, other, subjectOf)),
  );
  const unlisted = new Set(
    judged.filter(({ id }) => id === "capability-unlisted").map(({ expected }) => expected),
  );
  // An active check's finding explains a missing response, even if the finding itself is omitted because it follows
  // from another one.
  const found = [...judged, ...own];
  const explaining = [...judged, ...active];
  const all = found.filter(
    (finding) =>
      !isConsequence(finding, finding.id === SILENCE ? explaining : found, subjectOf) &&
      !(finding.id === "capability-undeclared" && unlisted.has(finding.expected)),
  );
  return merged(all, subjectOf).toSorted(inOrder);
}

type SubjectOf = (finding: Finding) => Subject | undefined;

function isConsequence(finding: Finding, found: readonly Finding[], subjectOf: SubjectOf): boolean {
  const isAt = (one: Finding, where: Where): boolean => {
    if (where === "tape") return true;
    if (where === "conversation") return one.conversation === finding.conversation;
    return one.n === finding.n || textOf(subjectOf(one)) === textOf(subjectOf(finding));
  };
  return CONSEQUENCES.some(
    ([own, cause, where]) =>
      own === finding.id && found.some((one) => one.id === cause && isAt(one, where)),
  );
}

/**
 * True if a finding of an active check only repeats a finding about a message at the same place, or if the server
 * rejected the message because of its headers. False if the other finding is a hint.
 */
function follows(finding: Finding, judged: Finding, subjectOf: SubjectOf): boolean {
  if (finding.n === undefined || judged.severity === "hint") return false;
  // The server rejected the request because of its headers and did not handle it.
  if (finding.n === judged.n && judged.id === "http-encoded") return true;
  const [own, cause] = [subjectOf(finding), subjectOf(judged)];
  // If responses to a method are missing, they are missing for all of its items.
  const isSame = UNANSWERED.includes(finding.id)
    ? own?.method === cause?.method
    : textOf(own) === textOf(cause);
  if (finding.n !== judged.n && !isSame) return false;
  const [one, other] = [`${finding.pointer}/`, `${judged.pointer}/`];
  return one.startsWith(other) || other.startsWith(one);
}

function isExplained(
  { id, n, conversation }: Finding,
  judged: readonly Finding[],
  lines: readonly TapeLine[],
): boolean {
  if (!UNANSWERED.includes(id) || n === undefined) return false;
  const after = lines.filter((line) => line.n > n && line.conversation === conversation);
  const questions = after.filter(({ from, message }) => from === "client" && !isResponse(message));
  const next = questions[0]?.n ?? Infinity;
  const own = judged.filter((one) => one.conversation === conversation);
  // If the server did send a response or text, any finding about this conversation explains why no response was
  // recognized. This includes earlier findings, because a fault is reported only where it first occurs.
  const isAnswered = after.some(
    ({ from, n: at, message, text }) =>
      from === "server" && at < next && (isResponse(message) || text !== undefined),
  );
  return own.some(({ n: at = 0 }) => (at > n && at < next) || isAnswered);
}

const UNANSWERED = ["request-silent", "http-unusable", "opening-answered", "cancel-tolerated"];

interface Subject {
  readonly method: string;
  readonly item?: string;
}

function textOf(subject: Subject | undefined): string | undefined {
  const { method, item } = subject ?? {};
  return item === undefined ? method : `${method} of ${item}`;
}

function subjectsOf(lines: readonly TapeLine[]): ReadonlyMap<number, Subject> {
  const subjects = new Map<number, Subject>();
  const requests = new Map<string, Subject>();
  const exchanges = new Map<number, Subject>();
  for (const { n, from, conversation, message, http } of lines) {
    const exchange = http?.exchange;
    if (!isMembers(message)) {
      const subject = exchange === undefined ? undefined : exchanges.get(exchange);
      if (subject !== undefined) subjects.set(n, subject);
      continue;
    }
    const { method, id, params } = message;
    const { name, uri } = isMembers(params) ? params : {};
    const item = name ?? uri;
    const subject: Subject | undefined =
      typeof method === "string"
        ? { method, ...(typeof item === "string" && { item: item.slice(0, 80) }) }
        : requests.get(`${conversation} ${otherSide(from!)} ${String(id)}`);
    if (subject === undefined) continue;
    subjects.set(n, subject);
    if (exchange !== undefined && from === "client") exchanges.set(exchange, subject);
    if (id !== undefined && method !== undefined) {
      requests.set(`${conversation} ${from} ${String(id)}`, subject);
    }
  }
  return subjects;
}

interface Merged {
  finding: Finding;
  readonly revisions: Set<string>;
  readonly items: Set<string>;
  times: number;
}

/** The checks whose fault is the same for every method. */
const OF_ALL_METHODS: readonly string[] = [
  "id-reused",
  "output-encoding",
  "response-id-type",
  "response-repeated",
];

function isOfAllMethods({ id, pointer }: Finding): boolean {
  return OF_ALL_METHODS.includes(id) || (id === "message-envelope" && pointer === "/id");
}

const MOST_NAMES = 3;
/**
 * The number of methods with the same fault from which the fault is considered to affect all messages and is reported
 * only once.
 */
const MANY_METHODS = 4;

function faultOf({ id, pointer, expected }: Finding): string {
  return [id, pointer, expected].join("\n");
}

/**
 * Merges one check's findings about the same place: in several revisions, in the results for several items, or in most
 * messages.
 */
function merged(findings: readonly Finding[], subjectOf: SubjectOf): readonly DoctorFinding[] {
  const methods = new Map<string, Set<string>>();
  for (const finding of findings) {
    const fault = faultOf(finding);
    const { method } = subjectOf(finding) ?? {};
    if (method !== undefined) methods.set(fault, (methods.get(fault) ?? new Set()).add(method));
  }
  const byPlace = new Map<string, Merged>();
  for (const finding of findings) {
    const { id, pointer, expected, revision, severity } = finding;
    const { method, item } = subjectOf(finding) ?? {};
    const isGeneral = (methods.get(faultOf(finding))?.size ?? 0) >= MANY_METHODS;
    // An undeclared capability is one fault, regardless of what requires it. Headers and status codes are the same for
    // all requests, so the request's method does not matter.
    const isHttp = pointer.startsWith("/http/");
    const isOne = id === "capability-unlisted" || isGeneral || isOfAllMethods(finding);
    const place = isOne ? expected : isHttp ? "" : method;
    // Hints are reported once per method, regardless of their place.
    const key = [id, severity === "hint" ? "" : pointer, place].join("\n");
    const entry = byPlace.get(key) ?? { finding, revisions: new Set(), items: new Set(), times: 0 };
    if (revision !== undefined) entry.revisions.add(revision);
    if (item !== undefined && !isGeneral) entry.items.add(item);
    entry.times++;
    if (rankOf(finding) < rankOf(entry.finding)) entry.finding = finding;
    byPlace.set(key, entry);
  }
  return [...byPlace.values()].map(({ finding, revisions, items, times }) => {
    const { revision: _, ...others } = finding;
    const all = [...(methods.get(faultOf(finding)) ?? [])];
    const { method } = subjectOf(finding) ?? {};
    const names = namesOf([...items]);
    const one = method === undefined || names === "" ? method : `${method} of ${names}`;
    const subject = all.length >= MANY_METHODS ? namesOf(all) : one;
    return { ...others, subject, revisions: [...revisions].toSorted().toReversed(), times };
  });
}

function namesOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return [...names.slice(0, MOST_NAMES), ...more].join(", ");
}

const SEVERITIES: readonly Severity[] = ["error", "warning", "hint"];

function rankOf({ severity }: Pick<Finding, "severity">): number {
  return SEVERITIES.indexOf(severity);
}

function inOrder(one: DoctorFinding, other: DoctorFinding): number {
  const order = rankOf(one) - rankOf(other);
  return order || (one.n ?? Infinity) - (other.n ?? Infinity) || (one.id < other.id ? -1 : 1);
}
