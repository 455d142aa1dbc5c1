import type { Revision } from "@mcp-codegen/runtime";
import type { Diagnostics } from "mcp-codegen";
import {
  bundledRevision,
  cannotReach,
  type Context,
  EXIT,
  type Outcome,
  unknownRevision,
  usageError,
  type Values,
  withoutSecrets,
} from "mcp-codegen/cli";
import { messageChecksOf } from "../checks/index.js";
import type { NamedCall } from "../doctor/server/calls.js";
import { type Examination, examineServer } from "../doctor/server/examine-server.js";
import { entryOfDoctor } from "../report/entries.js";
import { examinedAt, examinedLine } from "../report/lines.js";
import { reportOf } from "../report/report.js";
import { member } from "../tape/json-value.js";
import type { TapeLine } from "../tape/index.js";
import { masked, type NamedServer, readServer } from "./server-target.js";
import { revisions } from "@mcp-codegen/universal/revisions";

export async function runDoctor(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  if (values.flag("client")) {
    return (await import("./run-client-doctor.js")).runClientDoctor(values, context);
  }
  const chosen = readRevisions(values, diagnostics);
  const calls = readCalls(values, diagnostics);
  if (chosen === undefined || calls === undefined) return undefined;
  const server = await readServer(values, diagnostics);
  if (server === undefined) return undefined;
  const timeout = values.number("timeout")! * 1000;
  const examination = await examineServer(server.target, {
    ...(chosen.length > 0 && { revisions: chosen }),
    calls,
    callSafe: values.flag("call-safe"),
    hints: values.flag("hints"),
    timeout,
    total: Math.max(120_000, timeout * 12),
    onstep: (step) => progress.step(step),
  });
  const { unreachable } = examination;
  if (unreachable !== undefined) {
    const hint = "Check the address, or start the command by itself.";
    diagnostics.add(cannotReach(server.name, unreachable, server.secrets, hint));
    return undefined;
  }
  const findings = masked(examination.findings, server.secrets);
  const info = masked(examination.info, server.secrets, []);
  const failures = examination.failures.map((one) => withoutSecrets(one, server.secrets));
  for (const { call, why } of examination.uncallable) {
    const problem = withoutSecrets(`--call ${call.tool} cannot be made: ${why}.`, server.secrets);
    diagnostics.add(usageError(problem));
  }
  return outcomeOf({ ...examination, findings, failures, info }, server, values);
}

function readRevisions(values: Values, diagnostics: Diagnostics): readonly Revision[] | undefined {
  const ids = values.list("revisions").flatMap((words) => words.split(","));
  const unknown = ids.filter((id) => bundledRevision(id) === undefined);
  for (const id of unknown) diagnostics.add(unknownRevision(id));
  if (unknown.length > 0) return undefined;
  return ids.flatMap((id) => revisions.find((one) => one.id === id) ?? []);
}

function readCalls(values: Values, diagnostics: Diagnostics): readonly NamedCall[] | undefined {
  const before = diagnostics.items.length;
  const calls = values.list("call").map((text) => {
    const [, tool = "", json = "{}"] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    try {
      const given: unknown = JSON.parse(json);
      if (tool !== "" && typeof given === "object" && given !== null && !Array.isArray(given)) {
        return { tool, arguments: given as NamedCall["arguments"] };
      }
    } catch {
      // Reported below.
    }
    const hint = `For example: --call 'add={"a": 1, "b": 2}'`;
    diagnostics.add(usageError("--call needs a tool and its arguments as a JSON object.", hint));
    return { tool, arguments: {} };
  });
  return diagnostics.items.length > before ? undefined : calls;
}

const UNREACHED = "No conversation could be opened: nothing else was examined.";

/** True if the server sent no JSON-RPC message at all, as one that cannot be started does. */
function isUnreached({ lines, needsLogin }: Examination): boolean {
  return !needsLogin && !lines.some(isServerMessage);
}

function isServerMessage({ from, message }: TapeLine): boolean {
  return from === "server" && member(message, "jsonrpc") !== undefined;
}

const UNCALLED = "No tool was called: allow calls with --call or --call-safe.";

function isUncalled(spoken: Examination["spoken"], values: Values): boolean {
  const isAllowed = values.flag("call-safe") || values.list("call").length > 0;
  return !isAllowed && spoken.some(({ checks }) => checks.has("tool-invented"));
}

function outcomeOf(examination: Examination, server: NamedServer, values: Values): Outcome {
  const { findings, failures, spoken, info, needsLogin, isSilent, unexamined } = examination;
  const checked = spoken.map(({ revision, checks }) => ({
    revision: revision.id,
    checks: [...messageChecksOf(revision), ...checks],
  }));
  const rows = checked
    .toSorted((one, other) => (one.revision < other.revision ? 1 : -1))
    .map(({ revision, checks }) => {
      const own = findings.filter(({ revisions: at }) => at.includes(revision));
      return examinedAt(revision, checks, own);
    });
  const table = rows.map(examinedLine);
  const left = unexamined.map(({ id }) => id);
  const isMissing = isUnreached(examination);
  const gaps = [
    ...(isMissing ? [UNREACHED] : []),
    ...(needsLogin ? ["The server requires a token: pass --login or --header."] : []),
    ...failures,
    ...(isSilent ? ["The server leaves requests unanswered: the rest was not examined."] : []),
    ...(left.length > 0
      ? [`The time was over before these were examined: ${left.join(", ")}.`]
      : []),
  ];
  const data = {
    server: info ?? server.name,
    needsLogin,
    revisions: rows,
    silent: isSilent,
    unexamined: left,
    failures,
    findings,
  };
  const entries = findings.map(entryOfDoctor);
  const source = { name: server.name };
  const advice = isUncalled(spoken, values) ? [UNCALLED] : [];
  const report = { source, entries, checked, data, gaps, end: [...table, ...gaps, ...advice] };
  const outcome = reportOf(report, values);
  return isMissing ? { ...outcome, drift: false, exitCode: EXIT.outage } : outcome;
}
