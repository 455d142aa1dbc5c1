import type { Revision } from "@mcp-codegen/runtime";
import type { CheckId } from "../../checks/index.js";
import { AT, isStateless } from "../../checks/check.js";
import { isLoopback } from "../server/door.js";
import { challengeOf, type Login, placesOf, SCOPE } from "./login-server.js";
import type { Endpoint } from "./http-endpoint.js";
import { endsOr, expect, type Run, settled, withRun, type Work } from "./run.js";

/** Maximum number of requests that a client may send before it stops because it has no token. */
const MOST_ATTEMPTS = 5;

/** Maximum time for a client to begin the login, and to send the next request of it, in milliseconds. */
const BEGINS_WITHIN = 1_500;
const CONTINUES_WITHIN = 3_000;

/**
 * Rejects requests without a token. Examines whether the client stops or, if it can log in, how it does that: with a
 * server that the challenge leads to, and with servers that it must not use.
 */
export async function unauthorized(work: Work, revision: Revision): Promise<void> {
  const login = await logIn(work, "usual", examineLogin);
  if (login.paths.length === 0) return;
  if (hasPlaces(revision)) {
    await logIn(work, "hidden", (one, run, made) => {
      expectPlaces(one, run, made);
      const received = "an authorization request";
      expect(one, run, "client-pkce", made.authorization === undefined, {
        expected: "no authorization request, as the server does not support PKCE",
        received,
      });
    });
  }
  if (!isStateless(revision)) return;
  await logIn(work, "foreign", (one, run, made) =>
    expectNone(one, run, made.authorization, "metadata has another issuer"),
  );
  if (login.authorization === undefined) return;
  await logIn(work, "mixed", (one, run, made) =>
    expectNone(one, run, made.token, "response is of another issuer"),
  );
}

/** True for a revision whose clients try several addresses for the metadata. */
function hasPlaces(revision: Revision): boolean {
  return AT.polling(revision) || isStateless(revision);
}

async function logIn(
  work: Work,
  kind: Login["kind"],
  examine: (work: Work, run: Run, login: Login) => void,
): Promise<Login> {
  const login: Login = { kind, paths: [] };
  const endpoint: Endpoint = { login };
  const attempts = (): number => endpoint.attempts ?? 0;
  await withRun(work, {}, endpoint, async (run) => {
    const hasBegun = (): boolean => login.paths.length > 0 || attempts() > MOST_ATTEMPTS;
    await endsOr(run, () => attempts() > 0, work.timeout);
    await endsOr(run, hasBegun, BEGINS_WITHIN);
    if (login.paths.length > 0) await endsOr(run, () => login.isUsed === true, CONTINUES_WITHIN);
    if (login.isUsed) await settled(work);
    expect(work, run, "client-unauthorized", attempts() <= MOST_ATTEMPTS, {
      received: `${attempts()} requests`,
    });
    if (login.paths.length > 0) examine(work, run, login);
  });
  return login;
}

function expectNone(work: Work, run: Run, request: URLSearchParams | undefined, why: string): void {
  expect(work, run, "client-issuer", request === undefined, {
    expected: `the end of the login, as the ${why}`,
    received: request?.has("grant_type") ? "a token request" : "an authorization request",
  });
}

/** Checks that a client has requested the metadata at the right addresses, in their order. */
function expectPlaces(work: Work, run: Run, login: Login): boolean {
  return placesOf(login).every((places) => {
    const tried = [...new Set(login.paths)].filter((path) => places.includes(path));
    return expect(work, run, "client-discovery", tried.join() === places.join(), {
      expected: `GET ${places.join(", then ")}`,
      received: login.paths.map((path) => `GET ${path}`).join(", "),
    });
  });
}

/** Examines a login with a server without faults, as far as the client has followed it. */
function examineLogin(work: Work, run: Run, login: Login): void {
  const { registration, authorization, token, isUsed } = login;
  const { revision } = run.server;
  const check = (id: CheckId, holds: boolean, pointer: string, received: unknown): boolean =>
    expect(work, run, id, holds, { pointer, received });
  if (!expectPlaces(work, run, login)) return;
  if (registration !== undefined) {
    const { redirect_uris: uris, application_type: type } = registration;
    const all = Array.isArray(uris) ? (uris as readonly unknown[]) : [];
    check("client-registration", all.length > 0 && all.every(isRedirect), "/redirect_uris", uris);
    if (isStateless(revision))
      check("client-registration", type === "native" || type === "web", "/application_type", type);
  }
  if (authorization !== undefined) {
    const method = authorization.get("code_challenge_method");
    const isChallenged = authorization.get("code_challenge") !== null && method === "S256";
    const isProven = check("client-pkce", isChallenged, "/code_challenge_method", method);
    check("client-state", Boolean(authorization.get("state")), "/state", undefined);
    const scope = authorization.get("scope") ?? undefined;
    if (hasPlaces(revision)) check("client-scope", scope === SCOPE, "/scope", scope);
    const back = authorization.get("redirect_uri");
    check("client-registration", isRedirect(back), "/redirect_uri", back);
    if (token && isProven) {
      const verifier = token.get("code_verifier") ?? "";
      const isOwn = challengeOf(verifier) === authorization.get("code_challenge");
      check("client-pkce", isOwn, "/code_verifier", verifier || undefined);
    }
  }
  for (const request of [authorization, token]) {
    const resource = request?.get("resource") ?? undefined;
    const isNamed = resource !== undefined && /^http:\/\/[^/]+(?:\/mcp)?\/?$/.test(resource);
    if (request && !check("client-resource", isNamed, "/resource", resource)) break;
  }
  if (isUsed)
    check("client-token-query", !login.isForgotten, "/http/headers/authorization", undefined);
}

/** True for an address to which a user may be sent back: of this machine, or encrypted. */
function isRedirect(uri: unknown): boolean {
  if (typeof uri !== "string" || !URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
