import type { Revision } from "@mcp-codegen/runtime";
import type { TapeLine } from "../../tape/index.js";
import { concludeFindings, type DoctorFinding } from "../findings.js";
import { createRecorder } from "../link/link.js";
import type { ProcessTarget } from "../link/process-link.js";
import { authorization } from "./authorization.js";
import { converse } from "./converse.js";
import { brokenStream, busy, elsewhere, lostResponse, lostSession, mediaTypes } from "./http.js";
import type { Endpoint } from "./http-endpoint.js";
import type { Run, Work } from "./run.js";
import { silences } from "./timeouts.js";
import {
  anyError,
  detained,
  hasParamHeaders,
  mismatch,
  onlyTools,
  otherVersions,
  probes,
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
  const work: Work = {
    target,
    recorder,
    timeout,
    findings: [],
    made: new Set(),
    hints,
    conversations: 0,
    slowest: 0,
  };
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
    isCutShort: work.isCutShort === true,
    unreachable: first.unreachable,
    lines: recorder.lines,
  };
}

async function examineFurther(
  work: Work,
  run: Run,
  onstep: ExamineClientOptions["onstep"],
): Promise<void> {
  const { server, endpoint } = run;
  const isHttp = work.target.command.some((word) => word.includes("{url}"));
  const runs = [run];
  if (endpoint.streams !== undefined) {
    if (work.hints) {
      onstep?.("An endpoint on another origin");
      await elsewhere(work);
    }
    onstep?.("A server of tools only");
    await onlyTools(work, run);
    onstep?.("Versions that do not exist");
    return otherVersions(work, server);
  }
  if (isHttp) await mediaTypes(work, run);
  if (isStateless(server.revision)) {
    probes(work, run);
    onstep?.("A server of sessions only");
    const other = await converse(work, { onlySessions: true }, { onlySessions: true });
    if (other.run !== undefined) {
      runs.push(other.run);
      if (!isHttp) await anyError(work);
    }
    onstep?.("A result of an unknown type");
    await unknownType(work);
    if (isHttp && server.requests.some(({ method }) => hasParamHeaders(server, method))) {
      onstep?.("Headers that do not match");
      await mismatch(work);
    }
  }
  onstep?.("A server of tools only");
  await onlyTools(work, run);
  onstep?.("Versions that do not exist");
  await otherVersions(work, server);
  const other = runs.find((one) => !isStateless(one.server.revision));
  const session = other?.server.revision;
  if (session !== undefined) {
    if (other?.isExamined !== true) {
      onstep?.("A response that is held back");
      work.isCutShort = !(await detained(work, { onlySessions: isStateless(server.revision) }));
    }
    onstep?.("A server that does not answer");
    await silences(work, { onlySessions: isStateless(server.revision) });
  }
  if (!isHttp) return;
  if (session !== undefined) {
    const only = { onlySessions: isStateless(server.revision) };
    onstep?.("A session that is lost");
    await lostSession(work, only);
    if (session.conventions.polling) {
      onstep?.("A stream that breaks off");
      await brokenStream(work, only);
    }
  }
  if (isStateless(server.revision)) {
    onstep?.("A response that is lost");
    await lostResponse(work);
  }
  if (work.hints) {
    onstep?.("A server that is busy");
    await busy(work);
  }
  onstep?.("A server that requires a token");
  await authorization(work, server.revision);
  onstep?.("A server over HTTP+SSE");
  await fallBack(work);
}

/** Rejects Streamable HTTP, and examines clients that fall back to HTTP+SSE. */
async function fallBack(work: Work): Promise<void> {
  const endpoint: Endpoint = { sse: "only" };
  const { run } = await converse(work, { onlySessions: true }, endpoint);
  if (run !== undefined && work.hints) await elsewhere(work);
}
