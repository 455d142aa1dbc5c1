import type { Revision } from "@mcp-codegen/runtime";
import type { TapeLine } from "../../tape/index.js";
import { concludeFindings, type DoctorFinding } from "../findings.js";
import { createRecorder } from "../link/link.js";
import type { ProcessTarget } from "../link/process-link.js";
import { authorization } from "./authorization.js";
import { type Conversed, converse } from "./converse.js";
import { NO_VERSION } from "../server/methods.js";
import { busy, elsewhere, interruptions, lostResponse, mediaTypes } from "./http.js";
import type { Endpoint } from "./http-endpoint.js";
import { expect, type Run, type Work } from "./run.js";
import { hasParamHeaders, hasRequested } from "./observations.js";
import type { ScriptServer } from "./script-server.js";
import { createSilence, silent } from "./timeouts.js";
import { openTrap, TRAPS } from "./traps.js";
import {
  anyError,
  detained,
  mismatch,
  onlyTools,
  otherVersions,
  probes,
  refusals,
  refusedOpening,
  unknownType,
} from "./variants.js";
import { isStateless } from "../../checks/check.js";

export interface ExamineClientOptions {
  /** The maximum time for the opening and for each response, in milliseconds. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** True to report hints as well. A hint is advice that no specification states. Default: false. */
  readonly hints?: boolean | undefined;
  /** Called with a short description of each step. */
  readonly onstep?: ((step: string) => void) | undefined;
}

/** The result of examining a client. */
export interface ClientExamination {
  readonly findings: readonly DoctorFinding[];
  /** The revision of the first conversation; undefined if the client opened none. */
  readonly revision: Revision | undefined;
  /** The ids of the checks that were run, except for message checks. */
  readonly checks: ReadonlySet<string>;
  /** True if the client left before the doctor could send it all its requests. */
  readonly isCutShort: boolean;
  /** The reason why the command could not be started; undefined if it could. */
  readonly unreachable: string | undefined;
  readonly lines: readonly TapeLine[];
}

/**
 * Starts a client several times, each time with a server that behaves differently, and examines the messages that the
 * client sends.
 */
export async function examineClient(
  target: ProcessTarget,
  options: ExamineClientOptions = {},
): Promise<ClientExamination> {
  const { timeout = 5_000, hints = false, onstep } = options;
  const recorder = createRecorder();
  const trap = await openTrap();
  const work: Work = {
    target,
    recorder,
    timeout,
    findings: [],
    made: new Set(),
    hints,
    trap,
    staying: [],
    conversations: 0,
    slowest: 0,
  };
  const first = await examineAll(work, onstep).finally(() =>
    Promise.all([trap, ...work.staying].map((one) => one.close())),
  );
  const findings = concludeFindings(recorder.lines, work.findings, { from: "client", hints });
  return {
    findings,
    revision: first.run?.server.revision,
    checks: work.made,
    isCutShort: work.isCutShort === true,
    unreachable: first.unreachable,
    lines: recorder.lines,
  };
}

async function examineAll(work: Work, onstep: ExamineClientOptions["onstep"]): Promise<Conversed> {
  onstep?.("A conversation");
  const first = await converse(work);
  if (first.unreachable === undefined && first.run !== undefined) {
    await examineFurther(work, first.run, onstep);
    judgeTrap(work, first.run);
  }
  return first;
}

/** Checks that a client has requested no address of the trap. */
function judgeTrap(work: Work, run: Run): void {
  if (work.trap === undefined) return;
  const { origin, visited, isRefused } = work.trap;
  for (const [path, id] of Object.entries(TRAPS)) {
    if (path === "/visit" && isRefused !== true) continue;
    expect(work, run, id, !visited.has(path), { received: `a request for ${origin}${path}` });
  }
}

type Step = ExamineClientOptions["onstep"];

async function examineFurther(work: Work, run: Run, onstep: Step): Promise<void> {
  const { server, endpoint } = run;
  const isHttp = work.target.command.some((word) => word.includes("{url}"));
  if (endpoint.streams !== undefined) {
    if (work.hints) {
      onstep?.("An endpoint on another origin");
      await elsewhere(work);
    }
    onstep?.("A server of tools only");
    await onlyTools(work, run);
    onstep?.("Versions that do not exist");
    await otherVersions(work, server);
    return refusedOpening(work);
  }
  if (isHttp) await mediaTypes(work, run);
  const isDual = isStateless(server.revision);
  const session = isDual ? await examineStateless(work, run, isHttp, onstep) : run;
  if (session !== undefined) await examineSession(work, session, { isHttp, isDual }, onstep);
  if (!isHttp) return;
  if (work.hints) {
    onstep?.("A server that is busy");
    await busy(work);
  }
  onstep?.("A server that requires a token");
  await authorization(work, server.revision);
  if (session === undefined) return;
  onstep?.("A server over HTTP+SSE");
  await fallBack(work);
}

/** Examines a client's stateless requests. Returns the run in which it opened a session, if it can. */
async function examineStateless(
  work: Work,
  run: Run,
  isHttp: boolean,
  onstep: Step,
): Promise<Run | undefined> {
  const { server } = run;
  probes(work, run);
  onstep?.("A server of sessions only");
  const endpoint: Endpoint = { onlySessions: true };
  const { run: session, fallsBack } = await converse(work, { onlySessions: true }, endpoint);
  onstep?.("A server that does not answer");
  await Promise.all([
    examineLists(work, run),
    (async () => {
      await unknownType(work);
      if (isHttp) await examineStreams(work, server);
      await refusals(work, fallsBack);
    })(),
  ]);
  return session;
}

async function examineStreams(work: Work, server: ScriptServer): Promise<void> {
  const isCalled = server.requests.some(({ method }) => hasParamHeaders(server, method));
  const isRefetched = await lostResponse(work, isCalled);
  if (isCalled && !isRefetched) await mismatch(work);
}

/** Examines a client's sessions, in conversations of which each joins what does not disturb each other. */
async function examineSession(
  work: Work,
  run: Run,
  { isHttp, isDual }: { readonly isHttp: boolean; readonly isDual: boolean },
  onstep: Step,
): Promise<void> {
  const { server, isExamined } = run;
  const only = isDual ? { onlySessions: true } : {};
  if (isExamined !== true) {
    onstep?.("A response that is held back");
    work.isCutShort = !(await detained(work, only));
  }
  let isReopened = false;
  if (isHttp) {
    onstep?.("A stream and a session that are lost");
    const script = isDual ? only : { versionAgain: NO_VERSION };
    isReopened = await interruptions(work, script, server.revision.conventions.polling);
  }
  onstep?.("A server that does not answer");
  if (isDual) {
    await Promise.all([
      isHttp ? silent(work, only, "initialize") : anyError(work),
      hasRequested(server, LIST) && silent(work, only, LIST),
    ]);
    return;
  }
  await Promise.all([
    examineLists(work, run),
    refusedOpening(work, createSilence("initialize")),
    otherVersions(work, server, isReopened),
  ]);
}

const LIST = "tools/list";

async function examineLists(work: Work, run: Run): Promise<void> {
  const lists = hasRequested(run.server, LIST);
  const isHeld = await onlyTools(work, run, lists ? createSilence(LIST) : undefined);
  if (lists && !isHeld) await silent(work, {}, LIST);
}

/** Rejects Streamable HTTP, and examines clients that fall back to HTTP+SSE. */
async function fallBack(work: Work): Promise<void> {
  const endpoint: Endpoint = { sse: "only" };
  const { run } = await converse(work, { onlySessions: true }, endpoint);
  if (run !== undefined) await elsewhere(work, true);
}
