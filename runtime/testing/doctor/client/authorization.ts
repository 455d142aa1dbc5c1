import type { Revision } from "@mcp-codegen/runtime";
import { AT } from "../../checks/check.js";
import type { CheckId } from "../../checks/index.js";
import { isSecureUrl } from "../../checks/loopback.js";
import {
  type AuthorizationServer,
  type AuthorizationVariant,
  type CodeRequest,
  createAuthorizationServer,
  NAMED,
  OTHER_ERROR,
  PLACES,
  SCOPES,
  type TokenRequest,
} from "./authorization-server.js";
import type { Endpoint } from "./http-endpoint.js";
import { endsOr, expect, type Run, withRun, type Work } from "./run.js";
import type { Members } from "../../tape/json-value.js";
import type { Place } from "../visit.js";

/** The maximum number of requests that a client without a token may send before it stops. */
const MOST_ATTEMPTS = 5;
/** The maximum number of codes that a client may request for one scope. */
const MOST_CODES = 3;
/** The time without a request after which a client is assumed to have stopped, in milliseconds. */
const STOPPED_AFTER = 1_000;

/**
 * Requires a token, and examines how the client obtains and uses one. A client that does not authorize must stop.
 *
 * @param spoken - the revision of the client's first conversation
 */
export async function authorization(work: Work, spoken: Revision): Promise<void> {
  let revision = spoken;
  const server = await withServer(work, [], (run, observed) => {
    if (run.server.requests.length > 0) ({ revision } = run.server);
    const judge = judgeOf(work, run, revision);
    const count = observed.served > 0 ? 0 : (run.endpoint.count ?? 0);
    judge("client-unauthorized", count <= MOST_ATTEMPTS, { received: `${count} requests` });
    if (observed.isUsed) judgeRequests(judge, observed, run, revision);
  });
  const { places, registrations, codes, tokens } = server;
  const isIssuerChecked = tokens.length > 0 && (await otherServer(work, revision));
  let isRegistered = false;
  for (const one of STOPS) {
    const isMade = one.without.some((request) => server[request].length > 0);
    if (!isMade || !one.applies(revision) || (one === NO_ISSUER && isIssuerChecked)) continue;
    const made = await stops(work, revision, one);
    if (one === OTHER_STATE)
      isRegistered = registrations.length > 0 && made.registrations.length > 0;
  }
  if (places.includes(NAMED) || registrations.length > 0 || codes.length > 0)
    await lastPlaces(work, revision, isRegistered);
  if (tokens.length > 0) await otherError(work, revision);
}

type Judge = (id: CheckId, holds: boolean, place: Place) => boolean;

function judgeOf(work: Work, { server: { number } }: Run, revision: Revision): Judge {
  return (id, holds, place) => expect(work, { server: { number, revision } }, id, holds, place);
}

/** Runs the client against an authorization server until the client stops sending requests. */
async function withServer(
  work: Work,
  variants: readonly AuthorizationVariant[],
  examine: (run: Run, server: AuthorizationServer) => void,
): Promise<AuthorizationServer> {
  const server = createAuthorizationServer(...variants);
  const endpoint: Endpoint = { authorization: server };
  const pause = Math.max(STOPPED_AFTER, work.slowest);
  const hasStopped = (): boolean =>
    performance.now() - (server.lastAt ?? 0) > pause ||
    (server.served === 0 && (endpoint.count ?? 0) > MOST_ATTEMPTS) ||
    isTooOften(server);
  await withRun(work, {}, endpoint, async (run) => {
    await endsOr(run, () => server.lastAt !== undefined, work.timeout);
    await endsOr(run, hasStopped, work.timeout);
    examine(run, server);
  });
  return server;
}

function isTooOften({ codes, codesBefore = codes.length }: AuthorizationServer): boolean {
  return codes.length - codesBefore > MOST_CODES;
}

function judgeRequests(
  judge: Judge,
  server: AuthorizationServer,
  run: Run,
  revision: Revision,
): void {
  const { places, registrations, codes, tokens } = server;
  if (AT.versionHeader(revision) && (registrations.length > 0 || codes.length > 0)) {
    judge("client-auth-discovery", places.includes(NAMED), {
      expected: "a request for the metadata that resource_metadata in the challenge names",
      received: places.join(", "),
    });
  }
  for (const metadata of registrations) judgeRegistration(judge, metadata, revision);
  for (const code of codes) judgeCode(judge, code, codes, revision);
  for (const token of tokens) judgeToken(judge, token, revision);
  const isRefreshed = tokens.some(({ params }) => params.get("grant_type") === "refresh_token");
  const unnamed = registrations.find(
    ({ grant_types: grants }) => !includes(grants, "refresh_token"),
  );
  if (AT.stateless(revision) && isRefreshed) {
    judge("client-auth-grant", unnamed === undefined, {
      pointer: "/grant_types",
      received: unnamed?.["grant_types"],
    });
  }
  judge("client-auth-token", server.unsigned === undefined, {
    pointer: "/http/headers/authorization",
    received: server.unsigned,
  });
  judge("client-auth-token", server.leaked === undefined, {
    expected: "no token in a request to another address than that of the server",
    received: server.leaked,
  });
  judge("client-token-query", run.endpoint.hasTokenInQuery !== true, {
    received: "access_token in the query",
  });
  if (AT.icons(revision)) {
    const received = `${codes.length - (server.codesBefore ?? 0)} requests for a code`;
    judge("client-auth-attempts", !isTooOften(server), { received });
    if (server.codesBefore !== undefined) {
      judge("client-auth-step-up", codes.length > server.codesBefore, { received: "none" });
    }
  }
}

function includes(list: unknown, value: unknown): boolean {
  return Array.isArray(list) && list.includes(value);
}

function judgeRegistration(judge: Judge, metadata: Members, revision: Revision): void {
  const { redirect_uris: uris, application_type: type } = metadata;
  const all: readonly unknown[] = Array.isArray(uris) ? (uris as unknown[]) : [];
  const wrong = all.find((uri) => !isSafe(uri));
  const at = { pointer: "/redirect_uris", received: wrong };
  judge("client-auth-registration", all.length > 0 && wrong === undefined, at);
  if (!AT.stateless(revision)) return;
  judge("client-auth-registration", type === "native" || type === "web", {
    pointer: "/application_type",
    expected: "native or web",
    received: type,
  });
}

function judgeCode(
  judge: Judge,
  { params, required, before }: CodeRequest,
  codes: readonly CodeRequest[],
  revision: Revision,
): void {
  const given = (name: string): string | undefined => params.get(name) ?? undefined;
  const isProof = /^[\w-]{43}$/.test(given("code_challenge") ?? "");
  const proof = isProof ? "code_challenge_method" : "code_challenge";
  judge("client-auth-pkce", isProof && given("code_challenge_method") === "S256", {
    pointer: `/${proof}`,
    received: given(proof),
  });
  const redirect = given("redirect_uri");
  const at = { pointer: "/redirect_uri", received: redirect };
  judge("client-auth-registration", redirect === undefined || isSafe(redirect), at);
  const state = given("state") ?? "";
  const isNew = !codes.some((one) => one.params !== params && one.params.get("state") === state);
  judge("client-auth-state", state !== "" && isNew, { pointer: "/state", received: state });
  if (AT.versionHeader(revision)) judgeResource(judge, params, "for a code");
  if (!AT.icons(revision)) return;
  const id = given("client_id") ?? "";
  const { protocol = "", pathname = "" } =
    /^https?:/i.test(id) && URL.canParse(id) ? new URL(id) : {};
  judge("client-auth-document", protocol !== "http:" && pathname !== "/", {
    pointer: "/client_id",
    expected: "an https: URL with a path",
    received: id,
  });
  const scopes = given("scope")?.split(" ") ?? [];
  const known = new Set([...before, ...required]);
  const expected = AT.stateless(revision) ? [...known] : required;
  const isExact =
    expected.every((one) => scopes.includes(one)) && scopes.every((one) => known.has(one));
  judge("client-auth-scope", isExact, {
    pointer: "/scope",
    expected: expected.join(" "),
    received: given("scope"),
  });
}

function judgeToken(judge: Judge, { params, isVerified }: TokenRequest, revision: Revision): void {
  const grant = params.get("grant_type");
  if (grant === "authorization_code") {
    judge("client-auth-pkce", isVerified, {
      pointer: "/code_verifier",
      expected: "the verifier of the code_challenge",
      received: params.get("code_verifier") ?? undefined,
    });
  }
  const isOwn = grant === "authorization_code" || grant === "refresh_token";
  if (AT.versionHeader(revision) && isOwn) judgeResource(judge, params, `with ${grant}`);
}

function judgeResource(judge: Judge, params: URLSearchParams, which: string): void {
  const resource = params.get("resource");
  const isAbsolute = resource !== null && URL.canParse(resource);
  const { hostname = "", pathname = "", hash = "" } = isAbsolute ? new URL(resource) : {};
  const isOwn = hostname === "127.0.0.1" && ["/mcp", "/"].includes(pathname) && hash === "";
  judge("client-auth-resource", isOwn, {
    pointer: "/resource",
    expected: `the URL of the server in the request ${which}`,
    received: resource ?? undefined,
  });
}

/** True for a redirect URI that is local or encrypted. */
function isSafe(uri: unknown): boolean {
  return typeof uri === "string" && isSecureUrl(uri);
}

/**
 * Checks that a client tries all metadata addresses, when the metadata exists only at the last ones.
 *
 * @param isRegistered - true if the client has registered although it could have used a metadata document. The server
 *   then has no registration.
 */
async function lastPlaces(work: Work, revision: Revision, isRegistered: boolean): Promise<void> {
  if (!AT.icons(revision)) return;
  let isFound = false;
  const variants = ["last places", ...(isRegistered ? (["only documents"] as const) : [])] as const;
  await withServer(work, variants, (run, { isUsed, places, codes }) => {
    const tried = [...new Set(places)].filter((path) => PLACES.includes(path));
    isFound = tried.join() === PLACES.join();
    if (isUsed !== true || (isRegistered && !isFound)) return;
    const judge = judgeOf(work, run, revision);
    judge("client-auth-discovery", isFound, {
      expected: `requests for ${PLACES.join(", ")}`,
      received: places.join(", "),
    });
    if (isRegistered) judgeDocument(judge, codes);
  });
  if (!isRegistered || isFound) return;
  await lastPlaces(work, revision, false);
  await withServer(work, ["only documents"], (run, { codes }) =>
    judgeDocument(judgeOf(work, run, revision), codes),
  );
}

/** Checks that a client which has registered has no metadata document. */
function judgeDocument(judge: Judge, codes: readonly CodeRequest[]): void {
  const isDocument = URL.canParse(codes[0]?.params.get("client_id") ?? "");
  judge("client-auth-document", !isDocument, { received: "a registration" });
}

/** Examines whether a client shows an error from a redirect that names another issuer. */
async function otherError(work: Work, revision: Revision): Promise<void> {
  if (!AT.stateless(revision)) return;
  let ended: Run | undefined;
  await withServer(work, ["other error"], (run) => void (ended = run));
  if (ended?.ending === undefined) return;
  const isShown = ended.ending.stderr.includes(OTHER_ERROR);
  judgeOf(work, ended, revision)("client-auth-issuer", !isShown, {
    expected: "nothing of the error, as iss in the redirect is another issuer",
    received: OTHER_ERROR,
  });
}

/**
 * Examines whether a client discards what an authorization server has issued once another server is named. That server's
 * redirects name no issuer. Returns true if the client has not used their codes.
 */
async function otherServer(work: Work, revision: Revision): Promise<boolean> {
  if (!AT.stateless(revision)) return false;
  let isUnused = false;
  await withServer(
    work,
    ["other server", "no iss"],
    (run, { hasMoved, misused, codes, tokens }) => {
      if (hasMoved !== true) return;
      judgeOf(work, run, revision)("client-auth-credentials", misused === undefined, {
        received: `the client or the refresh token of another server, at ${misused}`,
      });
      isUnused = codes.some(isOfOther) && !tokens.some(isOfOther);
    },
  );
  return isUnused;
}

function isOfOther({ tenant }: CodeRequest | TokenRequest): boolean {
  return tenant === "other";
}

/** Variant of an authorization server, after which a client must stop. */
interface Stop {
  readonly variant: AuthorizationVariant;
  readonly id: CheckId;
  readonly applies: (revision: Revision) => boolean;
  /** The requests that must not follow. */
  readonly without: readonly (keyof typeof REQUESTS)[];
  readonly expected: string;
}

const REQUESTS = {
  registrations: "a registration",
  codes: "a request for a code",
  tokens: "a request for a token",
};

const NO_ISSUER: Stop = {
  variant: "no iss",
  id: "client-auth-issuer",
  applies: AT.stateless,
  without: ["tokens"],
  expected: "no use of the code, as the redirect lacks the iss that the metadata promises",
};
/** A redirect with another state. Clients may use metadata documents, so that those that have one need not register. */
const OTHER_STATE: Stop = {
  variant: "other state",
  id: "client-auth-state",
  applies: AT.versionHeader,
  without: ["tokens"],
  expected: "no use of the code, as state in the redirect is another one",
};
const STOPS: readonly Stop[] = [
  {
    variant: "no methods",
    id: "client-auth-methods",
    applies: AT.icons,
    without: ["codes"],
    expected: "no authorization, as the metadata lists no code_challenge_methods_supported",
  },
  {
    variant: "other issuer",
    id: "client-auth-issuer",
    applies: AT.stateless,
    without: ["registrations", "codes"],
    expected: "no authorization, as the metadata is that of another issuer",
  },
  {
    variant: "other resource",
    id: "client-auth-metadata",
    applies: AT.icons,
    without: ["registrations", "codes"],
    expected: "no authorization, as the metadata is that of another resource",
  },
  {
    variant: "other iss",
    id: "client-auth-issuer",
    applies: AT.stateless,
    without: ["tokens"],
    expected: "no use of the code, as iss in the redirect is another issuer",
  },
  NO_ISSUER,
  OTHER_STATE,
];

async function stops(work: Work, revision: Revision, stop: Stop): Promise<AuthorizationServer> {
  const { variant, id, without, expected } = stop;
  const hasDocuments = stop === OTHER_STATE && AT.icons(revision);
  const variants = [variant, ...(hasDocuments ? (["documents"] as const) : [])];
  return withServer(work, variants, (run, server) => {
    const isRelevant = stop !== OTHER_STATE || server.codes[0]?.params.has("state") === true;
    const made = isRelevant ? without.find((request) => server[request].length > 0) : undefined;
    const received = made && REQUESTS[made];
    const judge = judgeOf(work, run, revision);
    judge(id, made === undefined, { expected, received });
    const [code] = server.codes;
    if (!hasDocuments || code === undefined) return;
    const scopes = code.params.get("scope")?.split(" ").toSorted() ?? [];
    judge("client-auth-scope", scopes.join() === SCOPES.join(), {
      pointer: "/scope",
      expected: `${SCOPES.join(" ")}, as the metadata lists, because the challenge names none`,
      received: code.params.get("scope") ?? undefined,
    });
  });
}
