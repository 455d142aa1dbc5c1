import { NO_VERSION } from "../server/methods.js";
import { codeOf, endsOr, expect, type Run, settled, type Work, withRun } from "./run.js";
import type { ScriptServer } from "./script-server.js";
import { isStateless } from "../../checks/check.js";
import { roleOf, statelessRevisions } from "../../checks/roles.js";
import { isMembers, member } from "../../tape/json-value.js";

/** Serves tools only: requests for anything else are refused, and judged as messages. */
export function onlyTools(work: Work): Promise<void> {
  return withRun(work, { onlyTools: true }, {}, async (run) => {
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await settled(work);
  });
}

/** Maximum number of requests with a refused version: those that had already been sent. */
const MOST_REFUSED = 3;

export function otherVersion(work: Work): Promise<void> {
  return withRun(work, { version: NO_VERSION }, {}, async (run) => {
    const isOpening = (): boolean => run.server.requests.length > 0;
    await endsOr(run, isOpening, work.timeout);
    await settled(work);
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
export function mismatch(work: Work): Promise<void> {
  return withRun(work, { mismatch: true }, {}, async (run) => {
    await endsOr(run, () => run.server.isOpen, work.timeout);
    await settled(work);
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

export function hasParamHeaders({ revision }: ScriptServer, method: string): boolean {
  return revision.methods.get(method)?.paramHeaders !== undefined;
}
