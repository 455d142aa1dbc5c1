import { readFileSync } from "node:fs";
import { DOCTOR_INFO, metaOf, messageOf } from "../doctor/outgoing.js";
import { type Ending, until, awaited } from "../doctor/link/link.js";
import { openProcess, type ProcessTarget } from "../doctor/link/process-link.js";
import { lastWords } from "../doctor/server/life.js";
import { type CaseResponse, responsesIn, type Victim } from "./torture-case.js";
import { isMembers, type Members } from "../tape/json-value.js";
import { methodOf, sessionRevisions, statelessRevisions } from "../checks/roles.js";

/** The id of the request that tests whether the server still responds. */
export const ALIVE: string = "torture-alive";

/** The time without output after which no further responses to a case are expected, in milliseconds. */
const QUIET = 250;

export async function openProcessVictim(target: ProcessTarget, timeout: number): Promise<Victim> {
  const responses: CaseResponse[] = [];
  let last = 0;
  let ending: Ending | undefined;
  const waiting = new Map<string, (message: Members | undefined) => void>();
  const link = openProcess(
    target,
    {
      message(value) {
        last = performance.now();
        const found = responsesIn(value);
        responses.push(...found);
        for (const { message } of found) waiting.get(String(message!["id"]))?.(message!);
      },
      text() {
        last = performance.now();
      },
      empty() {},
      ended(how) {
        ending = how;
      },
    },
    500,
  );
  const request = (id: string, method: string, params: Members): Promise<Members | undefined> => {
    const answer = awaited(waiting, id, timeout);
    void link.ended.then(() => waiting.get(id)?.(undefined));
    void link.send(JSON.stringify(messageOf(method, params, id)));
    return answer;
  };
  const context = await openWith(request, (text) => link.send(text));
  if (context === undefined) {
    const own = ending;
    const { problem } = await link.close("SIGKILL");
    const reason = own ? lastWords(own) : `no response within ${timeout / 1000} s`;
    throw new Error(problem ?? `the server cannot be opened: ${reason}`);
  }
  return {
    context,
    async attack(pieces) {
      responses.length = 0;
      for (const piece of pieces) await link.write!(piece);
      const alive = await request(ALIVE, context.method, context.params);
      // A server may answer requests in any order, so this waits for later responses.
      await until(() => performance.now() - last >= QUIET, timeout);
      const isOwn = ({ message }: CaseResponse): boolean => message?.["id"] !== ALIVE;
      return { isAlive: alive !== undefined, responses: responses.filter(isOwn) };
    },
    memory: () => memoryOf(link.pid),
    ended: () => ending && lastWords(ending),
    async close() {
      await link.close("SIGKILL");
    },
  };
}

/** Opens a session, or detects that the server is stateless. Returns a request that the server must answer. */
export async function openWith(
  request: (id: string, method: string, params: Members) => Promise<Members | undefined>,
  notify: (text: string) => Promise<unknown>,
): Promise<{ readonly method: string; readonly params: Members } | undefined> {
  const session = sessionRevisions[0]!;
  const opening = await request("torture-opening", methodOf(session, "initialize"), {
    protocolVersion: session.id,
    capabilities: {},
    clientInfo: DOCTOR_INFO,
  });
  if (opening !== undefined && isMembers(opening.result)) {
    await notify(JSON.stringify({ jsonrpc: "2.0", method: methodOf(session, "initialized") }));
    return { method: methodOf(session, "ping"), params: {} };
  }
  const [newest] = statelessRevisions;
  if (opening === undefined || newest === undefined) return undefined;
  const params = { _meta: metaOf(newest, {}) };
  const method = methodOf(newest, "discover");
  const found = await request("torture-discovery", method, params);
  return found !== undefined && "result" in found ? { method, params } : undefined;
}

function memoryOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
