import type { Revision } from "@mcp-codegen/runtime";
import { halves, pause, until } from "../link/link.js";
import type { UrlTarget } from "../link/http-link.js";
import { ask, type Visit } from "../visit.js";
import { glanceAt, isEndpoint } from "../link/sse-link.js";
import { exchange } from "../link/exchange.js";
import { NOTHING } from "../conversation.js";
import type { CheckId } from "../../checks/index.js";
import {
  codeIn,
  type Door,
  expectForeign,
  FOREIGN,
  type Headers,
  isRefused,
  openDoor,
  openingOf,
  postOf,
  type Response,
  STRANGER,
} from "./door.js";
import { statelessHeaders } from "./http-headers.js";
import { closeOne, keepUsual } from "./http-neighbours.js";
import { sessions } from "./http-sessions.js";
import { withNewToken } from "./rounds.js";
import { subscribeResources } from "./updates.js";
import { canonicalText } from "../../tape/index.js";
import { member, type Members, parsed } from "../../tape/json-value.js";
import { isResponse } from "../../checks/conversation.js";
import { isStateless } from "../../checks/check.js";
import { methodOf } from "../../checks/roles.js";

/** Examines the rules for Streamable HTTP in one revision. */
export async function examineHttp(visit: Visit, target: UrlTarget): Promise<void> {
  const door = openDoor(visit, target);
  const opening = openingOf(visit);
  await until(() => visit.conversation.unended.length === 0, 1_000);
  const [unended] = visit.conversation.unended;
  visit.expect("http-stream-end", unended === undefined, {
    expected: "the end of the stream with its response",
    received: `an open stream after the response to ${unended}`,
  });
  const [unretried] = visit.conversation.unretried;
  visit.expect("http-retry", unretried === undefined, {
    line: unretried,
    received: "the end of its stream before the response, without retry",
  });
  if (!isStateless(visit.revision)) await keepUsual(visit);
  const refusesOrigins = door.isLocal && (await strangers(door, opening));
  await bodies(door, opening);
  if (isStateless(visit.revision)) {
    await statelessHeaders(door, opening);
    await closeOne(door);
  } else await sessions(door, opening, refusesOrigins);
}

/**
 * Checks that an HTTP+SSE stream carries only its own messages and that a local server refuses foreign origins and
 * hosts.
 */
export async function examineSse(visit: Visit, target: UrlTarget): Promise<void> {
  const door = openDoor(visit, target);
  const { expect, isLocal } = door;
  const foreign = [
    ...FOREIGN.map((origin) => ["http-origin", { origin }, "Origin"] as const),
    ["http-host", { host: STRANGER }, "Host"],
  ] as const;
  await ownStream(visit, target);
  if (!isLocal) return;
  for (const [id, headers, name] of foreign) {
    const stream = await glanceAt(target, headers);
    const response = stream && { ...stream.response, text: "" };
    const isRefusing = expect(id, stream === undefined, `403, as the ${name} is foreign`, response);
    if (isRefusing) await strangeMessage(door, target, { id, headers, name });
  }
}

/** The longest duration of a call that is repeated while there is a second stream, in milliseconds. */
const LONGEST = 1_500;

/**
 * Opens a second stream, and repeats the calls in the session of the first, which subscribes to a server's resources.
 * The second stream must not carry messages meant for the first.
 */
async function ownStream(visit: Visit, target: UrlTarget): Promise<void> {
  const { conversation, revision } = visit;
  const received: unknown[] = [];
  const events = { message: (value: unknown) => received.push(value), text() {} };
  const other = await glanceAt(target, {}, true, events);
  if (other === undefined || conversation.ending) return;
  const begin = conversation.position;
  await conversation.request(methodOf(revision, "ping"));
  const calls = visit.called.filter(({ duration }) => duration <= LONGEST);
  if (calls.length > 0) await subscribeResources(visit);
  for (const { method, params, headers } of calls)
    await ask(visit, method, params, { headers, meta: withNewToken(visit) });
  await conversation.quiet(40);
  other.response.cancel();
  const own = new Set(conversation.since(begin).map(({ message }) => canonicalText(message)));
  const stray = received.find((message) => isForeign(message, own, revision));
  visit.expect("sse-endpoint", stray === undefined, {
    pointer: "/http/event/data",
    expected: "a stream with the messages of its own session only",
    received: stray,
  });
  await expectEnded(visit, target, other.endpoint);
}

/** The number of times that a message is sent to the address of a closed stream, whose end a server may notice late. */
const MOST_SENT = 5;

/** Checks that the address of a closed stream refuses messages. */
async function expectEnded(visit: Visit, target: UrlTarget, address: string | undefined) {
  if (!isEndpoint(address, target.url)) return;
  let answer = await messageTo(target, address!);
  for (let sent = 1; !isRefused(answer) && sent < MOST_SENT; sent++) {
    await pause(100);
    answer = await messageTo(target, address!);
  }
  const place = { pointer: "/http/status", received: `HTTP status ${answer?.status}` };
  visit.expect("sse-ended", isRefused(answer), place);
}

/** Sends a notification to the address of a stream. */
async function messageTo(
  target: UrlTarget,
  address: string,
  headers?: Headers,
): Promise<Response | undefined> {
  const response = await exchange(new URL(address, target.url), {
    method: "POST",
    headers: { ...target.headers, "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", method: `notifications/${NOTHING}` }),
  }).catch(() => undefined);
  response?.cancel();
  return response && { ...response, text: "" };
}

/**
 * True if a message on a stream without any requests belongs to another session. A server may send pings and changes of
 * lists on all streams.
 *
 * @param own - the texts of the messages that the other session has received
 */
function isForeign(message: unknown, own: ReadonlySet<string>, revision: Revision): boolean {
  if (isResponse(message)) return true;
  const row = revision.methods.get(String(member(message, "method")));
  const isOfSession =
    row?.role === "progress" ||
    (row?.kind === "request" && row.role !== "ping") ||
    revision.families.some(({ updated }) => updated !== undefined && updated === row?.method);
  return isOfSession && own.has(canonicalText(message));
}

async function strangeMessage(
  { expect }: Door,
  target: UrlTarget,
  { id, headers, name }: { readonly id: CheckId; readonly headers: Headers; readonly name: string },
): Promise<void> {
  const stream = await glanceAt(target, {}, true);
  const address = stream?.endpoint;
  if (stream === undefined || !isEndpoint(address, target.url)) return stream?.response.cancel();
  const answer = await messageTo(target, address!, headers);
  stream.response.cancel();
  expect(id, isRefused(answer), `403 for a message, as the ${name} is foreign`, answer);
}

/**
 * Sends requests that a web page from another origin could send to a local server. Returns true if the server rejects a
 * POST with a foreign `Origin`.
 */
async function strangers(door: Door, opening: Members): Promise<boolean> {
  const { visit, post, send, expect } = door;
  let isForbidden = true;
  for (const origin of FOREIGN) {
    isForbidden &&= expectForeign(door, await post(opening, { origin }), "a POST", origin);
  }
  for (const host of [STRANGER, `localhost.${STRANGER}`]) {
    const response = await post(opening, { host });
    if (!expect("http-host", isRefused(response), `403, as the Host is ${host}`, response)) break;
  }
  const [origin = ""] = FOREIGN;
  const preflight = await send({
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  const allowed = preflight?.headers["access-control-allow-origin"];
  const withCredentials = preflight?.headers["access-control-allow-credentials"] === "true";
  visit.expect("http-cors", !(withCredentials && (allowed === origin || allowed === "*")), {
    pointer: "/http/headers/access-control-allow-origin",
    expected: `no permission with credentials for ${origin}`,
    received: allowed,
  });
  return isForbidden;
}

/** Sends a body in two pieces that divide a character. */
async function inPieces({ visit, send }: Door, opening: Members): Promise<void> {
  const id = `${NOTHING}-é`;
  const { body, ...options } = postOf(visit, { ...opening, id });
  const pieces = halves(String(body));
  const { text = "" } = (await send({ ...options, pieces })) ?? {};
  const [, other] = /"id" ?: ?"(mcp-codegen-doctor[^"]*)"/.exec(text) ?? [];
  const received = other === undefined ? undefined : parsed(`"${other}"`);
  visit.expect("response-unknown", received === undefined || received === id, {
    pointer: "/id",
    expected: `${id}, from a body in two pieces`,
    received,
  });
}

/** Request bodies that contain no message, each with the reason. */
const NO_MESSAGES = [
  ['{"jsonrpc": "2.0", "id": 1,', "not JSON"],
  ["{}", "not a message"],
  ["[]", "not a message"],
] as const;

async function bodies(door: Door, opening: Members): Promise<void> {
  const { post, expect } = door;
  for (const [body, why] of NO_MESSAGES) {
    const response = await post(body);
    const { status = 0, text = "" } = response ?? {};
    // A server that reads valid JSON may also return a JSON-RPC error.
    const isError = why === "not a message" && codeIn(text) !== undefined;
    const isInvalid = isError || (status >= 400 && status < 500);
    if (!expect("http-body-invalid", isInvalid, `400, as the body is ${why}`, response)) break;
  }
  const forms = [
    [{ accept: "text/event-stream, application/json;q=0.9" }, "Accept in another order"],
    [{ "content-type": "application/json; charset=utf-8" }, "a Content-Type with charset"],
  ] as const;
  for (const [headers, name] of forms) {
    const response = await post(opening, headers);
    expect("http-header-forms", !isRefused(response), `an answer to ${name}`, response);
  }
  await inPieces(door, opening);
  const text = await post(opening, { "content-type": "text/plain" });
  expect("http-media-type", isRefused(text), "415, as the body is text/plain", text);
  const image = await post(opening, { accept: "image/png" });
  expect("http-accept-refused", isRefused(image), "406, as only image/png is accepted", image);
}
