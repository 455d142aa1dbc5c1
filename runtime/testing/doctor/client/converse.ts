import { NOTHING } from "../conversation.js";
import type { Ending } from "../link/link.js";
import { lastWords } from "../server/life.js";
import type { Endpoint } from "./http-endpoint.js";
import { cancellations, requests } from "./requests.js";
import { endsOr, expect, isAlive, type Run, settled, start, type Work } from "./run.js";
import type { Script } from "./script-server.js";
import { isStateless } from "../../checks/check.js";

export interface Conversed {
  /** Run of the client; undefined if the client opened no conversation. */
  readonly run: Run | undefined;
  readonly unreachable?: string;
}

/** Runs the client with a server without faults, which sends everything that a client must be able to handle. */
export async function converse(
  work: Work,
  script: Script = {},
  deviations: Endpoint = {},
): Promise<Conversed> {
  const endpoint: Endpoint = { ...deviations, pings: true };
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
    await settled(work);
    if (isStateless(server.revision)) await strayRequest(work, run);
    else {
      if (server.isListening) {
        await requests(work, run);
        if (!run.ending) await cancellations(work, run);
      }
      await tolerance(work, run);
      await pingOnStream(work, run);
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

/** Checks that a ping on the stream of a request was answered. */
async function pingOnStream(work: Work, run: Run): Promise<void> {
  const { pong } = run.endpoint;
  if (pong === undefined) return;
  const answer = await pong;
  if (run.ending === undefined) {
    const received = "no answer to ping on the event stream of a request";
    expect(work, run, "client-ping", answer !== undefined, { received });
  }
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
  await settled(work);
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

/**
 * Returns how the client has ended. As a function, it yields the current value; TypeScript would assume that
 * `run.ending` is still undefined.
 */
function endingOf({ ending }: Run): Ending | undefined {
  return ending;
}
