import { META } from "@mcp-codegen/runtime";
import { NOTHING } from "../conversation.js";
import { type Ending, quiet } from "../link/link.js";
import { lastWords } from "../server/life.js";
import type { Endpoint } from "./http-endpoint.js";
import { isFirstTool } from "./items.js";
import { hasRequested } from "./observations.js";
import { cancellations, requests } from "./requests.js";
import { rootsAgain } from "./roots.js";
import { endsOr, expect, isAlive, linesOf, type Run, settled, start, type Work } from "./run.js";
import type { Script } from "./script-server.js";
import { AT, isStateless } from "../../checks/check.js";
import { below, member, type Members } from "../../tape/json-value.js";

export interface Conversed {
  /** The client's run; undefined if the client opened no conversation. */
  readonly run: Run | undefined;
  /** True if the client has requested a session, or an HTTP+SSE stream. */
  readonly fallsBack: boolean;
  readonly unreachable?: string;
}

/** Runs the client against a server that sends everything a client must be able to handle. */
export async function converse(
  work: Work,
  script: Script = {},
  deviations: Endpoint = {},
): Promise<Conversed> {
  const run = await start(work, script, { ...deviations, pings: true });
  const { endpoint } = run;
  await endsOr(run, () => run.server.isOpen, work.timeout);
  const unreachable = run.ending?.problem;
  if (unreachable !== undefined) {
    await run.client.close();
    return { run: undefined, fallsBack: false, unreachable };
  }
  const { server } = run;
  const isOpened = script.onlySessions ? server.isOpen : server.requests.length > 0;
  const [{ params: opening } = { params: {} as Members }] = server.requests;
  const isAgreed = opening["protocolVersion"] === server.revision.id;
  const isLeft = !server.isOpen && server.requests.length === 1 && isAgreed && !run.servers[1];
  const isUsed = usesEndpoint(work, run);
  // A stateless client need not support sessions.
  if (!script.onlySessions && isUsed) {
    expect(work, run, "client-opening", isOpened, {
      received: run.ending ? lastWords(run.ending) : "no request",
    });
    if (isOpened) {
      expect(work, run, "client-opening", !isLeft, {
        expected: "notifications/initialized after the response to initialize",
        received: run.ending ? lastWords(run.ending) : "nothing",
      });
    }
  }
  if (isOpened) {
    await settled(work, run);
    if (isStateless(server.revision)) await strayRequest(work, run);
    else {
      if (server.isListening) {
        run.isExamined = await requests(work, run);
        if (!run.ending) await cancellations(work, run);
      }
      await tolerance(work, run);
      await pingOnStream(work, run);
    }
    await pages(work, run);
    await rounds(work, run);
    if (isStateless(run.server.revision)) await repetitions(work, run);
    if (run.isExamined && !run.ending) await rootsAgain(work, run);
  }
  if (hasSession(run)) await endsOr(run, () => false, LEAVES_WITHIN);
  if (endpoint.count === undefined) work.staying.push(run.client);
  else deletion(work, run, await run.client.close());
  if (isUsed) usesEndpoint(work, run);
  nameInAll(work, run);
  if (endpoint.count !== undefined) {
    expect(work, run, "client-token-query", endpoint.hasTokenInQuery !== true, {
      received: "access_token in the query",
    });
  }
  const fallsBack =
    endpoint.isPolled === true || run.servers.some((one) => hasRequested(one, "initialize"));
  return { run: isOpened ? run : undefined, fallsBack };
}

/** Checks that a client sends its messages to the endpoint named in the HTTP+SSE stream. */
export function usesEndpoint(work: Work, run: Run): boolean {
  const { streams, astray } = run.endpoint;
  if (streams === undefined) return true;
  const received = `POST ${astray}`;
  return expect(work, run, "client-endpoint-used", astray === undefined, { received });
}

/** Sends a request in a revision in which only clients may send requests. The client need not answer it. */
async function strayRequest(work: Work, run: Run): Promise<void> {
  const { ending } = run;
  isAlive(work, run);
  const isHttp = run.endpoint.count !== undefined;
  if (ending === undefined && !isHttp) await run.server.ask("ping", undefined, 300);
}

async function pingOnStream(work: Work, run: Run): Promise<void> {
  const { pong } = run.endpoint;
  if (pong === undefined) return;
  const answer = await pong;
  if (run.ending === undefined) {
    const received = "no answer to ping on the event stream of a request";
    expect(work, run, "client-ping", answer !== undefined, { received });
  }
}

/** Checks that a client sends `clientInfo` in each stateless request. */
function nameInAll(work: Work, run: Run): void {
  if (!isStateless(run.server.revision)) return;
  const stateless = linesOf(work, run)
    .map((line) => ({ line, meta: member(member(line.message, "params"), "_meta") }))
    .filter(({ meta }) => member(meta, META.revision) !== undefined);
  const unnamed = stateless.filter(({ meta }) => member(meta, META.clientInfo) === undefined);
  if (stateless.length === 0) return;
  expect(work, run, "client-named", unnamed.length === 0, {
    line: unnamed[0]?.line,
    pointer: below("/params/_meta", META.clientInfo),
    received: undefined,
  });
}

function deletion(work: Work, run: Run, { code }: Ending): void {
  if (code !== 0 || !hasSession(run)) return;
  const received = `its end, without DELETE`;
  expect(work, run, "client-delete", run.endpoint.isDeleted === true, { received });
}

/** The maximum time in which a client must leave before it is stopped, in milliseconds. */
const LEAVES_WITHIN = 3_000;

function hasSession({ endpoint, server: { requests: sent, revision } }: Run): boolean {
  const isHttp = endpoint.count !== undefined && endpoint.streams === undefined;
  return isHttp && sent.length > 0 && !isStateless(revision) && revision.conventions.http !== "sse";
}

async function tolerance(work: Work, run: Run): Promise<void> {
  if (!isAlive(work, run) || run.ending) return;
  const { server } = run;
  const before = server.requests.filter(({ method }) => method === TOOL_LIST).length;
  server.notify(`notifications/${NOTHING}`, { some: "value" });
  server.notify("notifications/message", { level: "info", data: { any: ["value"] } });
  server.notify("notifications/tools/list_changed");
  server.notify("notifications/cancelled", { requestId: `${NOTHING}-request` });
  server.notify("notifications/cancelled", { reason: "It names no request" });
  server.notify("notifications/progress", { progressToken: `${NOTHING}-token`, progress: 1 });
  if (AT.visits(server.revision))
    server.notify("notifications/elicitation/complete", { elicitationId: `${NOTHING}-visit` });
  await settled(work, run);
  const ending = endingOf(run);
  isAlive(work, run);
  const after = server.requests.filter(({ method }) => method === TOOL_LIST).length;
  if (before > 0 && ending === undefined) {
    expect(work, run, "client-list-changed", after > before, { received: "no tools/list" });
  }
}

async function pages(work: Work, run: Run): Promise<void> {
  const { requests: sent, revision } = run.server;
  const cursorsOf = (list: string): readonly unknown[] =>
    sent.filter(({ method }) => method === list).map(({ params }) => params["cursor"]);
  const isFollowed = (list: string): boolean => cursorsOf(list).some((one) => one !== undefined);
  const read = revision.families
    .map(({ list }) => list)
    .filter((list) => list !== undefined && cursorsOf(list).length > 0) as string[];
  await endsOr(run, () => read.every(isFollowed), PAGES_WITHIN);
  const unread = read.find((list) => !isFollowed(list));
  if (read.length === 0) return;
  expect(work, run, "client-pages", unread === undefined, {
    pointer: "/params/cursor",
    expected: `${unread} with the cursor of the first page`,
    received: `${unread} without a cursor, ${cursorsOf(unread ?? "").length} times`,
  });
  if (!isStateless(revision) || !isFollowed(TOOL_LIST)) return;
  const isEnded = (): boolean => cursorsOf(TOOL_LIST).includes("");
  await endsOr(run, isEnded, PAGES_WITHIN);
  expect(work, run, "client-last-page", isEnded(), {
    pointer: "/params/cursor",
    received: `no ${TOOL_LIST} with this cursor`,
  });
}

const TOOL_LIST = "tools/list";

async function rounds(work: Work, run: Run): Promise<void> {
  const { requests: sent, revision, asked } = run.server;
  if (!isStateless(revision) || asked.length === 0) return;
  const isAnswered = (): boolean =>
    sent.filter(({ params }) => isFirstTool(params) && params["inputResponses"] !== undefined)
      .length >= asked.length;
  await endsOr(run, isAnswered, ROUND_WITHIN);
  expect(work, run, "client-capability", isAnswered(), {
    pointer: "/params/inputResponses",
    expected: "the request again, with the input that its result requires, as it is declared",
    received: `no repetition of ${asked.at(-1)}`,
  });
}

const ROUND_WITHIN = 3_000;
/** The maximum time for which a client may wait before it repeats a request with a state alone, in milliseconds. */
const REPEATS_WITHIN = 1_500;

/** The longest pause between what a client does, in milliseconds. */
const PAUSE = 500;

/** Waits for a client that waits before it repeats a request, and for what the client does afterwards. */
async function repetitions(work: Work, run: Run): Promise<void> {
  const { server } = run;
  for (let count = -1; count < server.requests.length && server.owed > 0;) {
    count = server.requests.length;
    await endsOr(run, () => server.owed === 0, REPEATS_WITHIN);
    await settled(work, run);
  }
  await quiet(work.recorder, PAUSE);
}

/** The maximum time in which a client must follow a cursor, in milliseconds. */
const PAGES_WITHIN = 1_500;

/** Returns `run.ending`. Without this function, TypeScript would assume that the value is still undefined. */
function endingOf({ ending }: Run): Ending | undefined {
  return ending;
}
