import { META } from "@mcp-codegen/runtime";
import { NOTHING } from "../conversation.js";
import { lastWords } from "../server/life.js";
import { LATER_VERSION, NO_VERSION } from "../server/methods.js";
import { usesEndpoint } from "./converse.js";
import type { Endpoint } from "./http-endpoint.js";
import { expectEnd, hasReadPage, refetchIn } from "./observations.js";
import { undeclaredInputs } from "./rounds.js";
import { codeOf, endsOr, expect, type Run, settled, type Work, withRun } from "./run.js";
import { cancellations, requests } from "./requests.js";
import type { Script, ScriptServer } from "./script-server.js";
import { createSilence, type Silence, SILENCE, type Silent } from "./timeouts.js";
import { isStateless } from "../../checks/check.js";
import { roleOf, sessionRevisions, statelessRevisions } from "../../checks/roles.js";
import type { TapeLine } from "../../tape/index.js";
import { isMembers, member } from "../../tape/json-value.js";

/**
 * Serves only tools, and in an unusual way: with pings, results without a type, undeclared input and, over HTTP, no
 * session. Requests for anything else are refused, and are judged as messages.
 *
 * @param silence - the silence that precedes the list of tools. A client that does not wait for its end is examined again
 *   without it.
 * @returns true if the client has requested the list during the silence
 */
export async function onlyTools(work: Work, before: Run, silence?: Silence): Promise<boolean> {
  const state = await unusually(work, before, { silence });
  if (silence && state !== "waiting") await unusually(work, before);
  return silence !== undefined && state !== "never asked";
}

async function unusually(
  work: Work,
  before: Run,
  {
    silence,
    isOdd = true,
  }: { readonly silence?: Silence | undefined; readonly isOdd?: boolean } = {},
): Promise<Silent | undefined> {
  const endpoint: Endpoint = { isPlain: true, pings: true, isOdd };
  let isUnread = false;
  let state: Silent | undefined;
  const script: Script = { onlyTools: true, trap: work.trap, ...silence?.script };
  await withRun(work, script, endpoint, async (run) => {
    const { server } = run;
    await endsOr(run, () => server.isOpen || run.endpoint.astray !== undefined, work.timeout);
    state = await silence?.keep(work, run);
    if ((silence && state !== "waiting") || !usesEndpoint(work, run)) return;
    await settled(work, run);
    await endsOr(run, () => hasReadPage(run) || !hasReadPage(before), AS_BEFORE_WITHIN);
    for (const [method, pong] of server.pings) {
      const answer = await pong;
      const received = `no answer to ping before the response to ${method}`;
      if (!run.ending) expect(work, run, "client-ping", answer !== undefined, { received });
    }
    // A client that exits with code 0 before its request is answered has mistaken the ping for the response.
    const isTwinAnswered =
      (await server.twinned) || (run.ending !== undefined && run.ending.code !== 0);
    expect(work, run, "client-id", isTwinAnswered, {
      received: "no answer to ping with the id of a request that the client has sent",
    });
    const hasRead = hasReadPage(run) || !hasReadPage(before);
    isUnread = !hasRead && isOdd;
    if (isUnread) return;
    if (!isOdd && endpoint.count === undefined) {
      const received = "what follows a message only if the message arrives in one piece";
      if (!expect(work, run, "client-framing", !hasRead, { received })) return;
    } else if (!isOdd) {
      const isOther = expect(work, run, "client-media-type", !hasRead, {
        pointer: "/http/headers/content-type",
        expected: "a client that reads comments, CR LF, data of several lines, and a charset",
        received: "what follows the response only without them",
      });
      if (!isOther) return;
    }
    const received = run.ending ? lastWords(run.ending) : "nothing after the list of tools";
    if (isStateless(server.revision)) {
      expect(work, run, "client-result-untyped", hasRead, {
        pointer: "/result/resultType",
        expected: "the same requests as with resultType, which is complete if it is absent",
        received,
      });
      undeclared(work, run);
    } else if (run.endpoint.count !== undefined) {
      expect(work, run, "client-plain", hasRead, { received });
    }
  });
  if (isUnread && silence) return "moved on";
  // The unusual form of the responses may be the cause.
  if (isUnread) await unusually(work, before, { isOdd: false });
  return state;
}

/**
 * Examines a client that leaves before the doctor can send it any requests. Such a client stays while it waits for a
 * response, so the response is delayed until the client has answered those requests. Returns false if the client left
 * anyway.
 */
export async function detained(work: Work, script: Script): Promise<boolean> {
  let isExamined = false;
  let release: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (release = resolve));
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let held = first;
  const onsent = (): void => {
    held = ended;
    release?.();
  };
  const endpoint: Endpoint = { isHeld: true };
  const holding: Script = {
    ...script,
    held: (method, isOpen) => (isOpen && roleOf(method) !== "initialize" ? held : undefined),
  };
  await withRun(work, holding, endpoint, async (run) => {
    const { server } = run;
    const isHeld = (): boolean => server.isOpen && server.requests.length > 1 && server.isListening;
    await endsOr(run, isHeld, HELD_WITHIN);
    isExamined = isHeld() && (await requests(work, run, endpoint.isCarried ? onsent : undefined));
    if (isExamined && !endpoint.isCarried && !run.ending) await cancellations(work, run);
    onsent();
    end?.();
    await settled(work, run);
  });
  return isExamined;
}

/**
 * The maximum time in which a client must send a request and, over HTTP, open its session's stream, in milliseconds.
 */
const HELD_WITHIN = 3_000;

/** The maximum time in which a client must repeat what it did with another server, in milliseconds. */
const AS_BEFORE_WITHIN = 1_500;

/** Checks that a client has provided no undeclared input. Declining or cancelling does not count as providing input. */
function undeclared(work: Work, { server }: Run): void {
  const keys = undeclaredInputs(server.capabilities).map(([key]) => key);
  const given = server.requests.flatMap(({ params: { inputResponses } }) =>
    Object.entries(isMembers(inputResponses) ? inputResponses : {}),
  );
  const wrong = given.find(
    ([key, answer]) =>
      keys.includes(key) && !["decline", "cancel"].includes(String(member(answer, "action"))),
  );
  expect(work, { server }, "client-undeclared", wrong === undefined, {
    pointer: `/params/inputResponses/${wrong?.[0]}`,
    expected: "no answer to input that is not declared",
    received: wrong?.[1],
  });
}

/**
 * Serves a page whose `resultType` does not exist, and other pages that require input although no list may. Examines
 * whether the client uses the page, or provides the input.
 */
export function unknownType(work: Work): Promise<void> {
  return withRun(work, { unknownType: true }, {}, async (run) => {
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await settled(work, run);
    const used = run.server.requests.find(
      ({ params: { cursor, name } }) => cursor === NOTHING || name === NOTHING,
    );
    expect(work, run, "client-result-type", used === undefined, {
      pointer: used?.params["cursor"] === NOTHING ? "/params/cursor" : "/params/name",
      expected: `no use of a result whose resultType is unknown`,
      received: used?.method,
    });
    const given = run.server.requests.find(
      ({ params }) =>
        params["inputResponses"] !== undefined || params["requestState"] !== undefined,
    );
    expect(work, run, "client-result-type", given === undefined, {
      pointer: "/params/requestState",
      expected: "no use of a result that requires input, as the results of this method never do",
      received: given?.method,
    });
  });
}

/**
 * The maximum number of requests with a refused version. More than one is allowed because some may already have been
 * sent.
 */
const MOST_REFUSED = 3;

/**
 * Runs a client against servers that support only a version that does not exist or, if it can fall back to sessions, that
 * refuse stateless requests for other reasons.
 */
export async function refusals(work: Work, fallsBack: boolean): Promise<void> {
  await otherVersion(work, { version: LATER_VERSION });
  if (!fallsBack) return;
  for (const refusal of ["HEADER_MISMATCH", "MISSING_REQUIRED_CLIENT_CAPABILITY"])
    await refused(work, refusal);
}

/**
 * Runs a client against servers that agree to a version that does not exist, and one that agrees to an older revision.
 * The client's messages are then judged by that revision.
 *
 * @param isReopened - true if a session of the client has already agreed to a version that does not exist
 */
export async function otherVersions(
  work: Work,
  { revision }: ScriptServer,
  isReopened = false,
): Promise<void> {
  for (const version of isReopened ? [LATER_VERSION] : [NO_VERSION, LATER_VERSION])
    await otherVersion(work, { version });
  const older = sessionRevisions[sessionRevisions.indexOf(revision) + 1]?.id;
  if (older !== undefined) await withRun(work, { version: older }, {}, (run) => opens(work, run));
}

/** Leaves the opening of a session unanswered for a while, and then refuses it. */
export async function refusedOpening(work: Work, silence?: Silence): Promise<void> {
  const state = await withRun(work, { refusal: true, ...silence?.script }, {}, async (run) => {
    const kept = await silence?.keep(work, run);
    await opens(work, run);
    probes(work, run);
    return kept;
  });
  if (silence && state !== "waiting") await refusedOpening(work);
}

async function opens(work: Work, run: Run): Promise<void> {
  await endsOr(run, () => run.server.requests.length > 0, work.timeout);
  await settled(work, run);
}

const isNamed = ({ message }: TapeLine): boolean =>
  member(member(member(message, "params"), "_meta"), META.revision) !== undefined;

/**
 * Checks that a stdio client begins with `server/discover` if it supports stateless requests. A client may reveal that
 * support only after `initialize` has been refused.
 */
export function probes(work: Work, run: Run): void {
  const numbers = run.servers.map(({ number }) => number);
  const sent = work.recorder.lines.filter(
    ({ from, conversation, message, http }) =>
      from === "client" &&
      numbers.includes(conversation!) &&
      http === undefined &&
      member(message, "method") !== undefined,
  );
  if (run.endpoint.count !== undefined || !sent.some(isNamed)) return;
  const method = member(sent[0]!.message, "method");
  const [revision] = statelessRevisions;
  const server = { number: sent[0]!.conversation!, revision: revision! };
  const place = { line: sent[0], pointer: "/method", received: method };
  expect(work, { server }, "client-probe", roleOf(method) === "discover", place);
}

function refused(work: Work, refusal: string): Promise<void> {
  return withRun(work, { refusal }, {}, async (run) => {
    await opens(work, run);
    fallback(work, run, refusal);
  });
}

function otherVersion(work: Work, script: { readonly version: string }): Promise<void> {
  return withRun(work, script, {}, async (run) => {
    await opens(work, run);
    const { requests: sent, revision } = run.server;
    fallback(work, run, "UNSUPPORTED_PROTOCOL_VERSION");
    const isOpening = sent.some(({ method }) => method === "initialize");
    if (!isOpening && isStateless(revision)) {
      expect(work, run, "client-version", sent.length <= MOST_REFUSED, {
        expected: `another revision, as the server supports ${script.version} only`,
        received: `${sent.length} requests of ${revision.id}`,
      });
    } else {
      expectEnd(work, run.server, script.version);
    }
  });
}

/**
 * Rejects stateless requests with an error other than -32601, and examines whether the client then opens a session. The
 * opening remains unanswered.
 */
export function anyError(work: Work): Promise<void> {
  const { script } = createSilence("initialize");
  return withRun(work, { onlySessions: -32000, ...script }, {}, async (run) => {
    const isOpening = (): boolean =>
      run.servers.some(({ requests: sent }) => sent.some(({ method }) => isInitialize(method)));
    await endsOr(run, isOpening, work.timeout);
    const received = run.ending ? lastWords(run.ending) : "nothing";
    if (!expect(work, run, "client-sessions", isOpening(), { received })) return;
    await endsOr(run, () => false, SILENCE);
  });
}

const isInitialize = (method: unknown): boolean => roleOf(method) === "initialize";

/** Checks that a client does not conclude that the server uses sessions merely because its revision was refused. */
function fallback(work: Work, { servers }: Run, name: string): void {
  const [revision] = statelessRevisions;
  const numbers = servers.map(({ number }) => number);
  const lines = work.recorder.lines.filter(({ conversation }) => numbers.includes(conversation!));
  const { [name]: code } = revision!.errorCodes;
  const refusal = lines.findIndex(
    ({ from, message }) => from === "server" && isMembers(message) && codeOf(message) === code,
  );
  if (refusal < 0) return;
  const line = lines
    .slice(refusal)
    .find(
      ({ from, message, http, event }) =>
        from === "client" &&
        (roleOf(member(message, "method")) === "initialize" ||
          (event === "request" && http?.method === "GET")),
    );
  const server = { number: lines[refusal]!.conversation!, revision: revision! };
  const isGet = line?.event === "request";
  const place = {
    line,
    pointer: isGet ? "/http/method" : "/method",
    expected: `a request that the server supports, or the end, after ${code}`,
    received: isGet ? "GET" : "initialize",
  };
  expect(work, { server }, "client-fallback", line === undefined, place);
}

/** Refuses a call because of its headers. The client must then read the list again and repeat the call. */
export function mismatch(work: Work): Promise<void> {
  return withRun(work, { mismatch: true }, {}, async (run) => {
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await settled(work, run);
    const { isCalled, isRepeated, after } = refetchIn(run);
    if (isCalled) expect(work, run, "client-refetch", isRepeated, { received: after || "nothing" });
  });
}
