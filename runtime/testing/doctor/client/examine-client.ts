import type { Revision } from "@mcp-codegen/runtime";
import type { TapeLine } from "../../tape/index.js";
import { NOTHING } from "../conversation.js";
import { concludeFindings, type DoctorFinding } from "../findings.js";
import { createRecorder, type Ending, quiet } from "../link/link.js";
import type { ProcessTarget } from "../link/process-link.js";
import { lastWords } from "../server/life.js";
import { NO_VERSION } from "../server/methods.js";
import { brokenStream, busy, elsewhere, lostSession, unauthorized } from "./http.js";
import type { Endpoint } from "./http-endpoint.js";
import { cancellations, requests } from "./requests.js";
import {
  codeOf,
  endsOr,
  expect,
  isAlive,
  type Run,
  start,
  withRun,
  type Work,
  QUIET,
} from "./run.js";
import type { Script, ScriptServer } from "./script-server.js";
import { isStateless } from "../../checks/check.js";
import { roleOf, statelessRevisions } from "../../checks/roles.js";
import { isMembers, member } from "../../tape/json-value.js";

export interface ExamineClientOptions {
  /** Maximum time for the opening, and for each response, in milliseconds. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** True to report hints as well: advice that no specification states. Default: false. */
  readonly hints?: boolean | undefined;
  /** Called with a short description of each step. */
  readonly onstep?: ((step: string) => void) | undefined;
}

/** Result of the examination of a client. */
export interface ClientExamination {
  readonly findings: readonly DoctorFinding[];
  /** Revision of the first conversation; undefined if the client opened none. */
  readonly revision: Revision | undefined;
  /** Ids of the checks that were run in addition to those of messages. */
  readonly checks: ReadonlySet<string>;
  /** Reason why the command could not be started; undefined if it could. */
  readonly unreachable: string | undefined;
  readonly lines: readonly TapeLine[];
}

/** Starts a client several times with different servers of the doctor, and examines what it sends. */
export async function examineClient(
  target: ProcessTarget,
  options: ExamineClientOptions = {},
): Promise<ClientExamination> {
  const { timeout = 5_000, hints = false, onstep } = options;
  const recorder = createRecorder();
  const work: Work = { target, recorder, timeout, findings: [], made: new Set(), conversations: 0 };
  onstep?.("A conversation");
  const first = await converse(work);
  if (first.unreachable === undefined && first.run !== undefined) {
    await examineFurther(work, first.run, onstep);
  }
  const findings = concludeFindings(recorder.lines, work.findings, { from: "client", hints });
  return {
    findings,
    revision: first.run?.server.revision,
    checks: work.made,
    unreachable: first.unreachable,
    lines: recorder.lines,
  };
}

/** Runs the client again, with servers that behave differently. */
async function examineFurther(
  work: Work,
  { server, endpoint }: Run,
  onstep: ExamineClientOptions["onstep"],
): Promise<void> {
  const isHttp = work.target.command.some((word) => word.includes("{url}"));
  const spoken = [server.revision];
  if (endpoint.streams !== undefined) {
    onstep?.("An endpoint on another origin");
    await elsewhere(work);
    onstep?.("A version that does not exist");
    return otherVersion(work);
  }
  if (isStateless(server.revision)) {
    onstep?.("A server of sessions only");
    const other = await converse(work, { onlySessions: true }, { onlySessions: true });
    if (other.run !== undefined) spoken.push(other.run.server.revision);
    if (isHttp && server.requests.some(({ method }) => hasParamHeaders(server, method))) {
      onstep?.("Headers that do not match");
      await mismatch(work);
    }
  }
  onstep?.("A server of tools only");
  await onlyTools(work);
  onstep?.("A version that does not exist");
  await otherVersion(work);
  if (!isHttp) return;
  const session = spoken.find((one) => !isStateless(one));
  if (session !== undefined) {
    const only = { onlySessions: isStateless(server.revision) };
    onstep?.("A session that is lost");
    await lostSession(work, only);
    if (session.conventions.polling) {
      onstep?.("A stream that breaks off");
      await brokenStream(work, only);
    }
  }
  onstep?.("A server that is busy");
  await busy(work);
  onstep?.("A server that requires a token");
  await unauthorized(work);
  onstep?.("A server over HTTP+SSE");
  await fallBack(work);
}

function hasParamHeaders({ revision }: ScriptServer, method: string): boolean {
  return revision.methods.get(method)?.paramHeaders !== undefined;
}

interface Conversed {
  /** Run of the client; undefined if the client opened no conversation. */
  readonly run: Run | undefined;
  readonly unreachable?: string;
}

/** Runs the client with a server without faults, which sends everything that a client must be able to handle. */
async function converse(
  work: Work,
  script: Script = {},
  endpoint: Endpoint = {},
): Promise<Conversed> {
  const run = await start(work, script, endpoint);
  await endsOr(run, () => run.server.isOpen, work.timeout);
  const unreachable = run.ending?.problem;
  if (unreachable !== undefined) return { run: undefined, unreachable };
  const { server } = run;
  const isOpened = script.onlySessions ? server.isOpen : server.requests.length > 0;
  // A stateless client need not support sessions.
  if (!script.onlySessions) {
    expect(work, run, "client-opening", isOpened, {
      received: run.ending ? lastWords(run.ending) : "no request",
    });
  }
  if (isOpened) {
    await quiet(work.recorder, QUIET);
    if (isStateless(server.revision)) await strayRequest(work, run);
    else {
      await requests(work, run);
      if (!run.ending) await cancellations(work, run);
      await tolerance(work, run);
    }
    await pages(work, run);
  }
  const ending = await run.client.close();
  if (isOpened && !isStateless(server.revision)) deletion(work, run, ending);
  return { run: isOpened ? run : undefined };
}

/** Sends a request in a revision in which only clients send requests. The client may leave it unanswered. */
async function strayRequest(work: Work, run: Run): Promise<void> {
  const { ending } = run;
  isAlive(work, run);
  const isHttp = run.endpoint.count !== undefined;
  if (ending === undefined && !isHttp) await run.server.ask("ping", undefined, 300);
}

/** Checks that a client that exited without being killed has deleted its HTTP session. */
function deletion(work: Work, run: Run, { code }: Ending): void {
  const { endpoint, server } = run;
  const hasSessions = endpoint.count !== undefined && endpoint.streams === undefined;
  if (code !== 0 || !hasSessions || server.revision.conventions.http === "sse") return;
  const received = `its end, without DELETE`;
  expect(work, run, "client-delete", endpoint.isDeleted === true, { received });
}

async function tolerance(work: Work, run: Run): Promise<void> {
  if (!isAlive(work, run) || run.ending) return;
  const { server } = run;
  const before = server.requests.filter(({ method }) => method === "tools/list").length;
  server.notify(`notifications/${NOTHING}`, { some: "value" });
  server.notify("notifications/message", { level: "info", data: { any: ["value"] } });
  server.notify("notifications/tools/list_changed");
  server.notify("notifications/cancelled", { requestId: `${NOTHING}-request` });
  await quiet(work.recorder, QUIET);
  const ending = endingOf(run);
  isAlive(work, run);
  const after = server.requests.filter(({ method }) => method === "tools/list").length;
  if (before > 0 && ending === undefined) {
    expect(work, run, "client-list-changed", after > before, { received: "no tools/list" });
  }
}

/** Checks how a client handles a list of two pages. */
async function pages(work: Work, run: Run): Promise<void> {
  const lists = () => run.server.requests.filter(({ method }) => method === "tools/list");
  if (lists().length === 0) return;
  const isFollowed = (): boolean => lists().some(({ params }) => params["cursor"] !== undefined);
  await endsOr(run, isFollowed, PAGES_WITHIN);
  expect(work, run, "client-pages", isFollowed(), {
    pointer: "/params/cursor",
    expected: "tools/list with the cursor of the first page",
    received: `${lists().length} times tools/list without a cursor`,
  });
  if (!isFollowed() || !isStateless(run.server.revision)) return;
  const isEnded = (): boolean => lists().some(({ params }) => params["cursor"] === "");
  await endsOr(run, isEnded, PAGES_WITHIN);
  expect(work, run, "client-last-page", isEnded(), {
    pointer: "/params/cursor",
    received: "no tools/list with this cursor",
  });
}

/** Maximum time for a client to follow a cursor, in milliseconds. */
const PAGES_WITHIN = 1_500;

/** Serves tools only: requests for anything else are refused, and judged as messages. */
function onlyTools(work: Work): Promise<void> {
  return withRun(work, { onlyTools: true }, {}, async (run) => {
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await quiet(work.recorder, QUIET);
  });
}

/** Maximum number of requests with a refused version: those that had already been sent. */
const MOST_REFUSED = 3;

function otherVersion(work: Work): Promise<void> {
  return withRun(work, { version: NO_VERSION }, {}, async (run) => {
    const isOpening = (): boolean => run.server.requests.length > 0;
    await endsOr(run, isOpening, work.timeout);
    await quiet(work.recorder, QUIET);
    const { requests: sent, isOpen, revision } = run.server;
    fallback(work, run);
    const opening = sent.findIndex(({ method }) => method === "initialize");
    const after = opening < 0 ? undefined : sent.slice(opening + 1);
    const next = after?.find(({ method }) => method !== "initialize");
    if (after === undefined && isStateless(revision)) {
      expect(work, run, "client-version", sent.length <= MOST_REFUSED, {
        expected: `another revision, as the server supports ${NO_VERSION} only`,
        received: `${sent.length} requests of ${revision.id}`,
      });
    } else {
      expect(work, run, "client-version", !isOpen && next === undefined, {
        expected: `nothing more, as the server has agreed to ${NO_VERSION}`,
        received: next?.method ?? "notifications/initialized",
      });
    }
  });
}

/** Checks that a client whose revision is refused does not take the server for one of sessions. */
function fallback(work: Work, { servers }: Run): void {
  const [revision] = statelessRevisions;
  const numbers = servers.map(({ number }) => number);
  const lines = work.recorder.lines.filter(({ conversation }) => numbers.includes(conversation!));
  const { UNSUPPORTED_PROTOCOL_VERSION: code } = revision!.errorCodes;
  const refusal = lines.findIndex(
    ({ from, message }) => from === "server" && isMembers(message) && codeOf(message) === code,
  );
  if (refusal < 0) return;
  const line = lines
    .slice(refusal)
    .find(
      ({ from, message }) =>
        from === "client" && roleOf(member(message, "method")) === "initialize",
    );
  const server = { number: lines[refusal]!.conversation!, revision: revision! };
  const place = { line, pointer: "/method", received: "initialize" };
  expect(work, { server }, "client-fallback", line === undefined, place);
}

/** Checks how a client handles a call that is refused because its headers do not match. */
function mismatch(work: Work): Promise<void> {
  return withRun(work, { mismatch: true }, {}, async (run) => {
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await quiet(work.recorder, QUIET);
    const { requests: sent } = run.server;
    const first = sent.findIndex(({ method }) => hasParamHeaders(run.server, method));
    const after = sent.slice(first + 1);
    const list = after.findIndex(({ method }) => method === "tools/list");
    const again = after.slice(list + 1).some(({ method }) => hasParamHeaders(run.server, method));
    if (first >= 0) {
      const received = after.map(({ method }) => method).join(", ");
      expect(work, run, "client-refetch", list >= 0 && again, { received: received || "nothing" });
    }
  });
}

/** Rejects Streamable HTTP, and examines clients that fall back to HTTP+SSE. */
async function fallBack(work: Work): Promise<void> {
  const endpoint: Endpoint = { sse: "only" };
  const { run } = await converse(work, { onlySessions: true }, endpoint);
  if (run !== undefined) await elsewhere(work);
}

/**
 * Returns how the client has ended. As a function, it yields the current value; TypeScript would assume that
 * `run.ending` is still undefined.
 */
function endingOf({ ending }: Run): Ending | undefined {
  return ending;
}
