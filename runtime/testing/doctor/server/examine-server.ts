import type { Revision } from "@mcp-codegen/runtime";
import type { Finding } from "../../checks/index.js";
import type { TapeLine } from "../../tape/index.js";
import { type Answer, type Conversation, converse, NOTHING, type Target } from "../conversation.js";
import { createRecorder, isWithin, type Recorder } from "../link/link.js";
import { concludeFindings, type DoctorFinding } from "../findings.js";
import type { UrlTarget } from "../link/http-link.js";
import { glanceAt, isEndpoint, type SseStream } from "../link/sse-link.js";
import { type Chart, codeOf, createVisit, type Visit } from "../visit.js";
import {
  compareLists,
  compareRevisions,
  examineNames,
  openOdd,
  readUndiscovered,
  reportBare,
  type Spoken,
} from "./again.js";
import { type NamedCall, repeatCalls, type Uncallable, useItems, whyUncallable } from "./calls.js";
import { examineErrors } from "./errors.js";
import { examineAuthorization, examineWithout, needsToken } from "./authorization.js";
import { examineHttp, examineSse } from "./http.js";
import { CAPABILITIES, FEWER_CAPABILITIES } from "./input.js";
import { examineItems } from "./items.js";
import {
  examineEnding,
  examineExit,
  examineGarbage,
  examinePieces,
  examineLife,
  examineTermination,
  namesOf,
} from "./life.js";
import { readLists } from "./lists.js";
import { examineSubscriptions } from "./subscriptions.js";
import { tokenOf } from "./tokens.js";
import { LATER_VERSION, NO_VERSION } from "./methods.js";
import { open, openAtNoVersion, type Opening, type OpeningForm } from "./opening.js";
import { type Failed, sseRevision, unreachableBy } from "./unreachable.js";
import type { Members } from "../../tape/json-value.js";
import { AT, isStateless } from "../../checks/check.js";
import { sessionRevisions, statelessRevisions } from "../../checks/roles.js";
import { revisions } from "@mcp-codegen/universal/revisions";

export interface ExamineOptions {
  /** The revisions to examine. Default: all that the server supports. */
  readonly revisions?: readonly Revision[] | undefined;
  /** The tool calls to make. No other tools are called unless `callSafe` is true. */
  readonly calls?: readonly NamedCall[] | undefined;
  /** True to also call tools that declare themselves read-only and need no arguments. Default: false. */
  readonly callSafe?: boolean | undefined;
  /** True to report hints as well. A hint is advice that no specification states. Default: false. */
  readonly hints?: boolean | undefined;
  /** The maximum time to wait for each response, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** The maximum time to wait for the process to exit, in milliseconds. Default: 2,000. */
  readonly grace?: number | undefined;
  /** The maximum time for the whole examination, in milliseconds. Default: 120,000. */
  readonly total?: number | undefined;
  /** Called with a short description of each step. */
  readonly onstep?: ((step: string) => void) | undefined;
}

/** The result of an examination. */
export interface Examination {
  /** Findings, errors first. */
  readonly findings: readonly DoctorFinding[];
  /** Sentences about tool calls that failed because the tool is not listed or the call returned an error. */
  readonly failures: readonly string[];
  /** The calls that could be made in no revision, each with the reason. */
  readonly uncallable: readonly Uncallable[];
  /** The revisions that the server supports, with the ids of the checks that were run. */
  readonly spoken: readonly { readonly revision: Revision; readonly checks: ReadonlySet<string> }[];
  /** The name and version that the server declares. */
  readonly info: unknown;
  /** True if little could be examined because the server requires a token. */
  readonly needsLogin: boolean;
  /** The reason why no conversation could be opened; undefined if one was. */
  readonly unreachable: string | undefined;
  /** True if the examination stopped because the server left several requests unanswered. */
  readonly isSilent: boolean;
  /** The revisions that could not be fully examined within the total time. */
  readonly unexamined: readonly Revision[];
  readonly lines: readonly TapeLine[];
}

interface Work {
  target: Target;
  readonly options: ExamineOptions;
  readonly recorder: Recorder;
  readonly timeout: number;
  readonly findings: Finding[];
  readonly failures: Set<string>;
  readonly open: Set<Conversation>;
  /** The numbers of the conversations in which the server only rejected a revision or a transport. */
  readonly refused: Set<number>;
  /** The revision that is being examined, and those after it. */
  left: readonly Revision[];
  conversations: number;
  isOver: boolean;
}

/** Opens conversations in each revision that a server supports, and examines the messages that the server sends. */
export async function examineServer(
  target: Target,
  options: ExamineOptions = {},
): Promise<Examination> {
  const { timeout = 10_000, total = 120_000 } = options;
  const work: Work = {
    target,
    options,
    recorder: createRecorder(),
    timeout,
    findings: [],
    failures: new Set(),
    open: new Set(),
    refused: new Set(),
    left: [],
    conversations: 0,
    isOver: false,
  };
  const examining = examineAll(work);
  let unexamined: readonly Revision[] = [];
  if (!(await isWithin(total, examining))) {
    unexamined = (work.options.revisions ?? revisions).filter((one) => work.left.includes(one));
    work.isOver = true;
    await Promise.all([...work.open].map((one) => one.close("SIGKILL")));
    await isWithin(1_000, examining);
  }
  const outcome = await Promise.race([examining, Promise.resolve(NOTHING_SPOKEN)]);
  const { lines: recorded } = work.recorder;
  const lines = recorded.filter(({ conversation }) => !work.refused.has(conversation));
  const findings = concludeFindings(lines, work.findings, {
    from: "server",
    hints: options.hints ?? false,
  });
  return { ...outcome, findings, failures: [...work.failures], unexamined, lines: recorded };
}

type Outcome = Omit<Examination, "findings" | "failures" | "lines" | "unexamined">;

const NOTHING_SPOKEN: Outcome = {
  spoken: [],
  uncallable: [],
  info: undefined,
  needsLogin: false,
  isSilent: false,
  unreachable: undefined,
};

async function examineAll(work: Work): Promise<Outcome> {
  const isSse = "url" in work.target && work.target.transport === "sse";
  const candidates = inOrder(work.options.revisions ?? revisions).filter(
    (one) => !isSse || !isStateless(one),
  );
  const older = candidates.find(AT.challenges);
  const challenged = ({ conversation }: Visit, chart: Chart): Visit | undefined =>
    older && createVisit(older, conversation, chart);
  const spoken: Spoken[] = [];
  const failed: Failed[] = [];
  let info: unknown;
  let isSilent = false;
  for (const [index, revision] of candidates.entries()) {
    work.left = candidates.slice(index);
    if (work.isOver || isHopeless(failed, spoken.length > 0)) break;
    work.options.onstep?.(`Speaking ${revision.id}`);
    const chart: Chart = { findings: work.findings, made: new Set(), failures: work.failures };
    const timeout = spoken.length > 0 ? Math.min(work.timeout, 3_000) : work.timeout;
    const { visit, opening } = await openAt(work, revision, chart, CAPABILITIES, timeout);
    const { conversation } = visit;
    if (opening.kind === "open") {
      info ??= opening.info;
      visit.isSessionless = spoken.length === 0 && failed.some(refusesSessions);
      await examine(work, visit);
      spoken.push({ visit, checks: chart.made, names: namesOf(visit) });
      isSilent = conversation.isSilent;
      if (isSilent) break;
      if (spoken.length === 1) {
        await examineApart(work, visit, chart);
        if ("url" in work.target && !isSse && !work.isOver)
          await examineWithout(visit, work.target, challenged(visit, chart));
      } else if (isStateless(revision)) await examineAgain(work, visit, chart);
      continue;
    }
    failed.push({ visit, opening });
    const answer = opening.kind === "failed" ? opening.answer : undefined;
    const stream = spoken.length > 0 ? undefined : await streamBehind(work.target, answer);
    if (answer?.kind === "error" || stream) work.refused.add(conversation.number);
    if (stream !== undefined) {
      await finish(work, conversation);
      work.target = stream.target;
      const { endpoint, first } = stream;
      const received = endpoint ?? (first && `the event ${first.type}`);
      const place = { pointer: "/http/event/data", received };
      const isRight = createVisit(sseRevision, conversation, chart).expect(
        "sse-endpoint",
        isEndpoint(endpoint, stream.target.url),
        place,
      );
      return isRight ? examineAll(work) : NOTHING_SPOKEN;
    }
    const delivery = answer !== undefined && "delivery" in answer ? answer.delivery : undefined;
    if (delivery && needsToken(delivery) && "url" in work.target) {
      const hasToken = tokenOf(work.target).token !== undefined;
      const refusal = { ...delivery, hasToken };
      await examineAuthorization(visit, work.target, refusal, challenged(visit, chart));
      await finish(work, conversation);
      return { ...NOTHING_SPOKEN, info, needsLogin: true };
    }
    await finish(work, conversation, answer?.kind === "silence" ? "SIGKILL" : "eof");
  }
  compareRevisions(spoken);
  const [only] = spoken;
  if (only && spoken.every(({ visit }) => isStateless(visit.revision)))
    checkRefusals(only.visit, failed);
  const uncallable = (work.options.calls ?? []).flatMap((call) => {
    const reasons = spoken.map(({ visit }) => whyUncallable(visit, call));
    const [why] = reasons;
    return why !== undefined && !reasons.includes(undefined) ? [{ call, why }] : [];
  });
  const unreachable = spoken.length === 0 ? unreachableBy(failed, work.findings) : undefined;
  return {
    spoken: spoken.map(({ visit, checks }) => ({ revision: visit.revision, checks })),
    uncallable,
    info,
    needsLogin: false,
    isSilent,
    unreachable,
  };
}

function refusesSessions({ visit: { revision }, opening }: Failed): boolean {
  if (opening.kind !== "failed" || isStateless(revision)) return false;
  if (opening.answer.kind !== "error") return opening.answer.kind === "refused";
  const text = JSON.stringify(opening.answer.error);
  return sessionRevisions.every(({ id }) => id === revision.id || !text.includes(id));
}

/** Checks that a stateless server named the revision it supports when it refused a session. */
function checkRefusals({ revision, expect }: Visit, failed: readonly Failed[]): void {
  for (const { opening } of failed) {
    if (opening.kind !== "failed" || opening.answer.kind !== "error") continue;
    const { error, line } = opening.answer;
    expect("version-named", JSON.stringify(error).includes(revision.id), {
      line,
      pointer: "/error",
      expected: `${revision.id} in the message or in data`,
      received: error,
    });
  }
}

/** The HTTP statuses with which a server rejects Streamable HTTP. */
const OTHER_TRANSPORT = [400, 404, 405];

/** Returns the HTTP+SSE stream of a server that rejects Streamable HTTP. */
async function streamBehind(
  target: Target,
  answer: Answer | undefined,
): Promise<(Pick<SseStream, "endpoint" | "first"> & { readonly target: UrlTarget }) | undefined> {
  if (!("url" in target) || target.transport === "sse") return undefined;
  const { delivery } = answer !== undefined && "delivery" in answer ? answer : {};
  const isModern = statelessCodes.includes(codeOf(answer) ?? 0);
  const isOther = OTHER_TRANSPORT.includes(delivery?.status ?? 0) && !isModern;
  const stream = isOther ? await glanceAt(target) : undefined;
  // A Streamable HTTP server may also open a stream and reject the opening with an error.
  if (stream?.endpoint === undefined && answer?.kind !== "refused") return undefined;
  return stream && { ...stream, target: { ...target, transport: "sse" } };
}

/** The error codes that only stateless servers send. */
const statelessCodes = statelessRevisions
  .flatMap(({ errorCodes }) => Object.values(errorCodes))
  .filter((code) => sessionRevisions.every((one) => !Object.values(one.errorCodes).includes(code)));

/** Orders revisions. The newest revision with sessions comes first because most servers support it. */
function inOrder(all: readonly Revision[]): readonly Revision[] {
  const sessions = all.filter((one) => !isStateless(one));
  const others = all.filter(isStateless);
  return [...sessions.slice(0, 1), ...others, ...sessions.slice(1)];
}

function isHopeless(failed: readonly Failed[], hasSpoken: boolean): boolean {
  const lost = failed.filter(
    ({ opening }) =>
      opening.kind === "failed" &&
      (opening.answer.kind === "silence" || opening.answer.kind === "closed"),
  );
  return !hasSpoken && lost.length >= 2;
}

function begin(work: Work, capabilities: Members): Conversation {
  const { target, recorder, timeout, options } = work;
  const { grace } = options;
  const number = ++work.conversations;
  const conversation = converse(target, { recorder, number, timeout, capabilities, grace });
  work.open.add(conversation);
  return conversation;
}

async function openAt(
  work: Work,
  revision: Revision,
  chart: Chart,
  capabilities: Members = CAPABILITIES,
  timeout = work.timeout,
  form: OpeningForm = {},
): Promise<{ readonly visit: Visit; readonly opening: Opening }> {
  const visit = createVisit(revision, begin(work, capabilities), chart);
  return { visit, opening: await open(visit, timeout, form) };
}

async function finish(
  work: Work,
  conversation: Conversation,
  how?: "eof" | "SIGKILL",
): Promise<void> {
  await conversation.close(how);
  work.open.delete(conversation);
}

async function examine(work: Work, visit: Visit): Promise<void> {
  const { calls = [], callSafe = false } = work.options;
  let stop: (() => Promise<void>) | undefined;
  const steps: readonly (() => Promise<void> | void)[] = [
    () => readLists(visit),
    () => examineItems(visit),
    async () => void (stop = await examineSubscriptions(visit)),
    () => useItems(visit, calls, callSafe),
    // Messages of subscriptions that have ended are recognized in what follows.
    () => stop?.(),
    () => examineErrors(visit),
    () => examineNames(visit),
    () => examineLife(visit),
  ];
  for (const step of steps) {
    const { ending, isSilent } = visit.conversation;
    if (ending || isSilent || work.isOver) break;
    await step();
  }
  await stop?.();
  examineEnding(visit, visit.conversation.ending);
  const { isSilent } = visit.conversation;
  if (!work.isOver && !isSilent && "url" in work.target) {
    if (work.target.transport === "sse") await examineSse(visit, work.target);
    else await examineHttp(visit, work.target);
  }
  if (work.isOver || visit.conversation.isSilent) await visit.conversation.close("SIGKILL");
  else await examineExit(visit);
  work.open.delete(visit.conversation);
}

/** Runs the examinations that require further conversations, such as one as a client without capabilities. */
async function examineApart(work: Work, first: Visit, chart: Chart): Promise<void> {
  const { calls = [], callSafe = false } = work.options;
  const { visit, opening } = await openBare(work, first.revision, chart);
  if (opening.kind === "open") {
    await readLists(visit);
    await useItems(visit, calls, callSafe);
    examineEnding(visit, visit.conversation.ending);
    await examineTermination(visit);
  }
  await finish(work, visit.conversation);
  // A server with sessions could mistake a stateless version for one that a session can have, so these versions are
  // tried only in sessions.
  const others = isStateless(first.revision) ? [] : statelessRevisions.map(({ id }) => id);
  for (const version of [NO_VERSION, LATER_VERSION, ...others]) {
    if (work.isOver) break;
    const other = createVisit(first.revision, begin(work, {}), chart);
    await openAtNoVersion(other, version, first);
    await finish(work, other.conversation);
  }
  await examineAgain(work, first, chart);
}

/**
 * Opens a conversation without capabilities, using a string as the first id. If this fails, tries again with the usual
 * id to find the cause.
 */
async function openBare(work: Work, revision: Revision, chart: Chart): ReturnType<typeof openAt> {
  const form = { id: `${NOTHING}-opening` };
  const bare = await openAt(work, revision, chart, {}, work.timeout, form);
  if (bare.opening.kind !== "failed") return bare;
  await finish(work, bare.visit.conversation);
  const usual = await openAt(work, revision, chart, {});
  // A server that refuses every string id has already been reported.
  if (!work.findings.some(({ id }) => id === "id-accepted"))
    reportBare(bare.visit, bare.opening.answer, usual.opening.kind === "open");
  return usual;
}

/**
 * Opens another conversation in the same revision. A stateless server must list the same items as before, and a server
 * process must survive invalid input.
 */
async function examineAgain(work: Work, first: Visit, chart: Chart): Promise<void> {
  const { revision } = first;
  const isProcess = first.conversation.transport === "stdio";
  const { calls = [] } = work.options;
  if (work.isOver || (!isProcess && !isStateless(revision) && calls.length === 0)) return;
  // A stateless server's lists may depend on the client's capabilities, so these stay the same for it.
  const fewer = { ...FEWER_CAPABILITIES, [NOTHING]: {} };
  const capabilities = isStateless(revision) ? CAPABILITIES : fewer;
  const visit = createVisit(revision, begin(work, capabilities), chart);
  if (isStateless(revision)) await readUndiscovered(visit, first);
  const opening = await openOdd(visit, work.timeout);
  if (opening.kind === "open") {
    if (isStateless(revision)) {
      await readLists(visit);
      compareLists(visit, first);
    }
    if (await examinePieces(visit)) await repeatCalls(visit, calls);
    await examineGarbage(visit);
  }
  await finish(work, visit.conversation);
}
