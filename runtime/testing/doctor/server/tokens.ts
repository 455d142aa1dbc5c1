import { NOTHING } from "../conversation.js";
import { headersOf } from "../outgoing.js";
import { exchange } from "../link/exchange.js";
import { ACCEPT, EVENTS, isEventStream, type UrlTarget } from "../link/http-link.js";
import type { Visit } from "../visit.js";
import { type Headers, openDoor, openingOf } from "./door.js";
import { streamRequest } from "./http-resume.js";
import { familiesOf } from "./methods.js";
import type { Members } from "../../tape/json-value.js";
import { isStateless } from "../../checks/check.js";
import { methodOf } from "../../checks/roles.js";

/** Returns the user's token, and the header fields without it. */
export function tokenOf({ headers = {} }: UrlTarget): {
  readonly token: string | undefined;
  readonly headers: Headers;
} {
  const fields = Object.entries(headers);
  const [, token] = /^bearer (.+)$/i.exec(fields.find(isToken)?.[1] ?? "") ?? [];
  return { token, headers: Object.fromEntries(fields.filter((field) => !isToken(field))) };
}

function isToken([name]: readonly [string, string]): boolean {
  return /^authorization$/i.test(name);
}

/** Changes one character of a token. In a JWT, this character is in the signature. */
function changed(token: string): string {
  const start = token.lastIndexOf(".") + 1;
  const index = start + Math.floor((token.length - start) / 2);
  return `${token.slice(0, index)}${token[index] === "A" ? "B" : "A"}${token.slice(index + 1)}`;
}

/** Creates an unsigned JWT, which a server accepts only if it does not verify signatures. */
function unsigned({ href }: URL): string {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const parts = [
    { alg: "none", typ: "JWT" },
    { iss: href, aud: href, sub: NOTHING, exp },
  ];
  return `${parts.map((one) => Buffer.from(JSON.stringify(one)).toString("base64url")).join(".")}.`;
}

/** A request that a server must refuse without a valid token. It is a POST if it has a message, or else a GET. */
interface Attempt {
  readonly message?: Members;
  readonly method?: "GET" | "DELETE";
  readonly headers?: Headers;
  /** An invented token to send in the URL. */
  readonly inUrl?: string;
  /** The reason for which the request must be refused. */
  readonly why: string;
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

/** Sends requests without a token and with wrong ones, outside and inside a session. */
export async function examineTokens(visit: Visit, target: UrlTarget): Promise<void> {
  const { url } = target;
  const { token } = tokenOf(target);
  const opening = openingOf(visit);
  const list = listing(visit);
  const attempts: Attempt[] = [
    { message: opening, headers: bearer(NOTHING), why: "the token is invalid" },
    { message: opening, headers: bearer(unsigned(url)), why: "the token has no signature" },
    { message: opening, inUrl: NOTHING, why: "the token in the URL is invalid" },
    { message: list, why: `${String(list["method"])} has no token` },
    { message: unknownNotification, why: "a notification has no token" },
    { method: "GET", why: "a GET has no token" },
  ];
  // A valid token is never sent in the URL, although a server may accept it there: logs contain URLs.
  if (token !== undefined)
    attempts.push({
      message: opening,
      headers: bearer(changed(token)),
      why: "the token is changed",
    });
  for (const attempt of attempts) await expectRefused(visit, target, attempt);
  if (token !== undefined && !isStateless(visit.revision))
    await examineSessionTokens(visit, target, bearer(changed(token)));
}

const unknownNotification: Members = { jsonrpc: "2.0", method: `notifications/${NOTHING}` };

function listing({ revision }: Visit): Members {
  const method = familiesOf(revision)[0]?.list ?? "tools/list";
  return { jsonrpc: "2.0", id: "doctor-token", method };
}

/** Opens a session with the user's token. Its id must not replace the token in any later request. */
async function examineSessionTokens(
  visit: Visit,
  target: UrlTarget,
  wrong: Headers,
): Promise<void> {
  const door = openDoor(visit, target);
  const session = (await door.post(openingOf(visit)))?.headers["mcp-session-id"];
  if (session === undefined) return;
  const own = { "mcp-session-id": session, ...headersOf(visit.revision, {}) };
  const initialized = { jsonrpc: "2.0", method: methodOf(visit.revision, "initialized") };
  await door.post(initialized, own);
  const stream = await door.send(streamRequest(own));
  const isStream = stream?.status === 200 && isEventStream(stream.headers);
  const list = listing(visit);
  const [call] = visit.called.map(({ method, params }) => ({ ...list, method, params }));
  const requests: readonly Attempt[] = [
    { message: list, why: `${String(list["method"])} in a session` },
    ...(call ? [{ message: call, why: `${call.method} in a session` }] : []),
    { message: unknownNotification, why: "a notification in a session" },
    { message: { jsonrpc: "2.0", id: NOTHING, result: {} }, why: "a response in a session" },
    ...(isStream ? [{ method: "GET", why: "a GET in a session" } as const] : []),
    { method: "DELETE", why: "the DELETE of a session" },
  ];
  for (const [token, name] of [
    [{}, "no token"],
    [wrong, "a changed token"],
  ] as const) {
    for (const { why, ...request } of requests) {
      const headers = { ...own, ...token };
      const attempt = { ...request, headers, why: `${why} has ${name}` };
      if (!(await expectRefused(visit, target, attempt))) return;
    }
  }
  await door.send({ method: "DELETE", headers: own });
}

/** Returns true if the server refuses the request with 401. */
async function expectRefused(
  visit: Visit,
  target: UrlTarget,
  { message, method = "GET", headers, inUrl, why }: Attempt,
): Promise<boolean> {
  const url = new URL(target.url);
  if (inUrl !== undefined) url.searchParams.set("access_token", inUrl);
  const { headers: own } = tokenOf(target);
  const fields = {
    ...own,
    accept: ACCEPT,
    ...headersOf(visit.revision, message ?? {}),
    ...headers,
  };
  const type = { "content-type": "application/json" };
  const options = message
    ? { method: "POST", headers: { ...type, ...fields }, body: JSON.stringify(message) }
    : { method, headers: { ...fields, accept: EVENTS } };
  const response = await exchange(url, options).catch(() => undefined);
  response?.cancel();
  const { status = 401 } = response ?? {};
  // A server that does not support a method or a query rejects it with any token.
  const isOther = message === undefined || inUrl !== undefined;
  const isRefused = isOther ? status >= 300 : status === 401;
  return visit.expect("auth-token", isRefused, {
    pointer: "/http/status",
    expected: `401, as ${why}`,
    received: `HTTP status ${status}`,
  });
}
