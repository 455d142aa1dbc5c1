import { lastWords } from "../server/life.js";
import { BROKEN_EVENT, type Endpoint, REFUSED } from "./http-endpoint.js";
import { expectEnd, hasReadOpening, hasReadPage, refetchIn } from "./observations.js";
import { SESSION_HEADER } from "../../record/local-http.js";
import { endsOr, expect, linesOf, type Run, settled, withRun, type Work } from "./run.js";
import type { Script } from "./script-server.js";
import { member } from "../../tape/json-value.js";

/** The maximum time in which a client must continue after it loses a session or a stream, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Breaks off a stream and, once the client has resumed it, ends the session without notifying the client. Examines how
 * the client continues. The new session agrees to `versionAgain`. Returns true if the client has opened that session.
 */
export async function interruptions(
  work: Work,
  only: Endpoint & Script,
  hasPolling: boolean,
): Promise<boolean> {
  const breakFor = hasPolling ? RETRY : undefined;
  const endpoint: Endpoint = { ...only, forgetAfter: 2, breakFor };
  let isOpened: boolean | undefined;
  await withRun(work, only, endpoint, async (run) => {
    if (hasPolling && !(await resumes(work, run))) return;
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await settled(work, run);
    const isReopened = (): boolean => endpoint.reopened !== undefined;
    if (endpoint.isLost) await endsOr(run, isReopened, Math.min(work.timeout, PATIENCE));
    // The interruption of the stream may be the cause.
    if (isReopened() || !hasPolling) isOpened = await reopens(work, run, only.versionAgain);
  });
  return isOpened ?? interruptions(work, only, false);
}

/**
 * Examines how a client has opened another session after it has lost one, and whether it ends that session if the server
 * has agreed to a version that does not exist. Returns true if the client has opened it.
 */
async function reopens(work: Work, run: Run, versionAgain: string | undefined): Promise<boolean> {
  const { isLost, reopened } = run.endpoint;
  if (isLost !== true) return false;
  const received = run.ending ? lastWords(run.ending) : "nothing";
  if (!expect(work, run, "client-session-lost", reopened !== undefined, { received })) return false;
  const { [SESSION_HEADER]: id } = reopened!;
  expect(work, run, "http-session", id === undefined, {
    pointer: `/http/headers/${SESSION_HEADER}`,
    expected: "no session id, as initialize begins a session",
    received: id,
  });
  await settled(work, run);
  if (versionAgain !== undefined) expectEnd(work, run.servers.at(-1)!, versionAgain);
  return true;
}

/** Another form of a response, with the form that a client has not read. */
interface OtherForm {
  readonly endpoint: Endpoint;
  readonly unread: string;
}

const STREAM_FORMS: readonly OtherForm[] = [
  { endpoint: { isUncommented: true }, unread: "text/event-stream with comments" },
  { endpoint: { responses: "json" }, unread: "text/event-stream" },
];
const JSON_FORMS: readonly OtherForm[] = [
  { endpoint: { responses: "events" }, unread: "application/json" },
];

/** Runs a client again if it ignored a response, to see in which other form the client reads the same response. */
export async function mediaTypes(work: Work, run: Run): Promise<void> {
  const { requests } = run.server;
  const isListed = requests.some(({ method }) => method === "tools/list");
  const hasRead = isListed ? hasReadPage : hasReadOpening;
  if (hasRead(run)) return;
  for (const { endpoint, unread } of isListed ? STREAM_FORMS : JSON_FORMS) {
    const isUnread = await withRun(work, {}, endpoint, async (other) => {
      await endsOr(other, () => hasRead(other), Math.min(work.timeout, PATIENCE));
      return expect(work, run, "client-media-type", !hasRead(other), {
        pointer: "/http/headers/content-type",
        expected: `a client that reads ${unread}, too`,
        received: `what follows the response only if it is not ${unread}`,
      });
    });
    if (!isUnread) return;
  }
}

/** The value of `retry`, which is the time before a client may resume a stream, in milliseconds. */
const RETRY = 400;
/** The number of milliseconds by which a client may be early. */
const TOLERANCE = 50;

const LAST_EVENT = "last-event-id";

/** Examines how a client resumes a stream that has broken off. Returns true if it does. */
async function resumes(work: Work, run: Run): Promise<boolean> {
  const { endpoint } = run;
  await endsOr(run, () => endpoint.broken !== undefined, work.timeout);
  if (endpoint.broken === undefined) return false;
  const isResumed = (): boolean => endpoint.resumedAfter !== undefined;
  await endsOr(run, isResumed, Math.min(work.timeout, PATIENCE));
  const silence = endpoint.isRestarted ? "GET without Last-Event-ID" : "nothing";
  const received = run.ending ? lastWords(run.ending) : silence;
  if (!expect(work, run, "client-resume", isResumed(), { received })) return false;
  const place = {
    line: work.recorder.lines.findLast(({ http }) => http?.headers?.[LAST_EVENT] !== undefined),
    pointer: `/http/headers/${LAST_EVENT}`,
  };
  expect(work, run, "client-resume", endpoint.resumedFrom === BROKEN_EVENT, {
    ...place,
    expected: `${BROKEN_EVENT}, the last event of the stream`,
    received: endpoint.resumedFrom,
  });
  const after = Math.round(endpoint.resumedAfter!);
  expect(work, run, "client-retry", after >= RETRY - TOLERANCE, {
    ...place,
    expected: `GET after ${RETRY} ms, as retry says`,
    received: `GET after ${after} ms`,
  });
  return true;
}

/**
 * Ends a stateless stream before its response, and examines whether the client repeats the request with a new id. If the
 * client continues, its first call is refused because of its headers. Returns true if the client has handled that.
 */
export async function lostResponse(work: Work, isMismatch: boolean): Promise<boolean> {
  const endpoint: Endpoint = { breakFor: RETRY };
  return withRun(work, { mismatch: isMismatch }, endpoint, async (run) => {
    await endsOr(run, () => endpoint.broken !== undefined, work.timeout);
    if (endpoint.broken === undefined) return refetchIn(run).isRepeated;
    const { id } = endpoint.broken.response;
    const { requests } = run.server;
    const { length } = requests;
    await endsOr(run, () => requests.length > length, Math.min(work.timeout, PATIENCE));
    const [lost, again] = linesOf(work, run).filter(
      ({ message }) =>
        member(message, "id") === id && String(member(message, "method")).endsWith("/list"),
    );
    const isSame = member(again?.message, "method") === member(lost?.message, "method");
    expect(work, run, "id-reused", !isSame, {
      line: again,
      pointer: "/id",
      expected: "a new id, as the response to the request with this id was lost",
      received: id,
    });
    await settled(work, run);
    return refetchIn(run).isRepeated;
  });
}

/** The value of `Retry-After`, in seconds. */
const BUSY = 1;

/** Rejects a list request with 503 and `Retry-After`, and examines when the client repeats it. */
export function busy(work: Work): Promise<void> {
  const endpoint: Endpoint = { busyFor: BUSY };
  return withRun(work, {}, endpoint, async (run) => {
    await endsOr(run, () => endpoint.busyAt !== undefined, work.timeout);
    if (endpoint.busyAt === undefined) return;
    await endsOr(run, () => endpoint.repeatedAfter !== undefined, BUSY * 1000);
    const after = Math.round(endpoint.repeatedAfter ?? BUSY * 1000);
    const received = `the request again after ${after} ms`;
    expect(work, run, "client-retry-after", after >= BUSY * 1000 - TOLERANCE, { received });
  });
}

/**
 * Rejects Streamable HTTP with another status, and names an endpoint on another origin. Examines whether a client that
 * falls back to HTTP+SSE does so, and whether the client sends a message to the other origin.
 */
export function elsewhere(work: Work, fallsBack = false): Promise<void> {
  const endpoint: Endpoint = { sse: "elsewhere" };
  return withRun(work, { onlySessions: true }, endpoint, async (run) => {
    await endsOr(run, () => endpoint.streams !== undefined, Math.min(work.timeout, PATIENCE));
    if (fallsBack) {
      expect(work, run, "client-older-transport", endpoint.streams !== undefined, {
        expected: `GET after HTTP status ${REFUSED}, as after 405`,
        received: run.ending ? lastWords(run.ending) : "nothing",
      });
    }
    if (work.hints !== true) return;
    await endsOr(run, () => endpoint.isElsewhere === true, Math.min(work.timeout, 1_500));
    const received = "a message to the other origin";
    expect(work, run, "client-endpoint", endpoint.isElsewhere !== true, { received });
  });
}
